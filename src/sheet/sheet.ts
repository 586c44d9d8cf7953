/** The door of this room: files become lines, lines become files again. */
export { adviseMap, type MapAdvice, missingColumns, shippedFor } from './advice.ts';
export { checkOutput, originOf, removeEarlier, resultPathFor, sheetOutput, stemOf } from './beside.ts';
export type { Summary, Table, TableValue, Value } from './book.ts';
export { type CellRow, type CellSheet, readCells } from './cells.ts';
export { type CheckedPlan, writeChecked } from './checked.ts';
export { columnName } from './column-name.ts';
export { aliasesOf, checkHeaders, currencyOfHeader } from './columns.ts';
export {
  type CellCorrection,
  type CorrectedRows,
  correctedCell,
  correctedCount,
  correctedRows,
  correctedRuns,
  correctionsTold,
  correctionWords,
  isCorrected,
  readCorrections,
  textsCorrected,
} from './corrections.ts';
export { readSheetKind, visibleSheets } from './kind.ts';
export { maxFormattedLines, maxSheetRows } from './limits.ts';
export { isMapped, mapNote, meantBy, noMap, rulesOfSheet, type SheetMap } from './map.ts';
export { coveredWords, type Mark, type Marked } from './marking.ts';
export {
  type ControlTotal,
  type Initiation,
  type Line,
  openSheet,
  type Sheet,
  type SheetOptions,
  type SheetRow,
} from './open.ts';
export {
  isNameFree,
  keptWords,
  numbered,
  type Output,
  recordSubmitted,
  writeOutput,
} from './outputs.ts';
export { placeFile } from './place.ts';
export { type SheetProblemCode, sheetProblemCodes } from './problem-codes.ts';
export { writeProblemsCsv, writeProblemsJson } from './problem-list.ts';
export { fixedFields, mapNamed, parseMap, wordFields } from './read-map.ts';
export { writeResult } from './result.ts';
export type { ExtraRow, LongTable, ResultColumn, ResultPlan, ResultRow } from './result-plan.ts';
export {
  choiceFlags,
  choiceOptions,
  choiceWords,
  isChosen,
  mergedChoices,
  onlyWords,
  type RowChoice,
  readChoices,
} from './row-choice.ts';
export { type ShippedMap, shippedMaps } from './shipped-maps.ts';
export { createAmountSums, type StatusLine, writeStatusReport } from './status-report.ts';
export { type TemplateOptions, writeTemplate } from './template.ts';
export { type Archive, openArchive } from './zip.ts';
export { createZipWriter } from './zip-writer.ts';
