/** The exports of this folder: reading sheets, checking their columns, and writing results. */
export { isMapped, mapNote, meantBy, noMap, rulesOfSheet, type SheetMap } from './columns/column-map.ts';
export { columnName } from './columns/column-name.ts';
export { aliases, checkHeaders, currencyOfHeader } from './columns/header.ts';
export { adviseMap, type MapAdvice, missingColumns, shippedFor } from './columns/map-advice.ts';
export { fixedFields, mapNamed, parseMap, wordFields } from './columns/read-map.ts';
export {
  choiceLists,
  choiceNotes,
  isChosen,
  isMergedOverRows,
  mergedChoices,
  onlyWords,
  type RowChoice,
  readChoices,
} from './columns/row-choice.ts';
export { countryOfCurrency, type ShippedMap, shippedMaps } from './columns/shipped-maps.ts';
export {
  type CellCorrection,
  type CorrectedRows,
  correctedCell,
  correctedCount,
  correctedRows,
  correctedRuns,
  correctionEntries,
  correctionNotes,
  isCorrected,
  readCorrections,
  textsCorrected,
} from './corrections/corrections.ts';
export type { Mark, Marked } from './corrections/marked-rows.ts';
export { maxFormattedLines, maxSheetRows } from './file/limits.ts';
export { createAmountSums, type StatusLine, writeStatusReport } from './iso20022/status-report.ts';
export { readSheetKind, visibleSheets } from './kind.ts';
export { type CellSheet, readCells } from './lines/raw-cells.ts';
export { type ClassifiedRow, type Line, openSheet, type Sheet, type SheetOptions } from './open.ts';
export { placeFile } from './write/atomic-file.ts';
export { type CheckedPlan, writeChecked } from './write/checked-workbook.ts';
export { originOf, removeEarlier, resultPathFor, sheetOutput, stemOf } from './write/output-names.ts';
export {
  isNameFree,
  keptNotes,
  numbered,
  type Output,
  recordSubmitted,
  writeOutput,
  writeText,
  writeTextBehind,
} from './write/owned-files.ts';
export { writeProblemsCsv, writeProblemsJson } from './write/problem-list.ts';
export { oneByOne, writeResult } from './write/result.ts';
export type { ExtraRow, ResultColumn, ResultPlan, ResultRow } from './write/result-layout.ts';
export type { FurtherTable, Summary, Table, Value } from './write/tables.ts';
export { writeTemplate } from './write/template.ts';
export { createZipWriter } from './write/zip-writer.ts';
export { openArchive } from './xlsx/zip.ts';
