/** The door of this room: files become lines, lines become files again. */
export { adviseMap, type MapAdvice, missingColumns } from './advice.ts';
export { type CellRow, type CellSheet, readCells } from './cells.ts';
export { aliasesOf } from './columns.ts';
export { maxFormattedLines, maxSheetRows } from './limits.ts';
export { mapNote, noMap, rulesOfSheet, type SheetMap } from './map.ts';
export { type ControlTotal, type Line, openSheet, type Sheet, type SheetOptions, type SheetRow } from './open.ts';
export { type SheetProblemCode, sheetProblemCodes } from './problem-codes.ts';
export { fixedFields, mapNamed, parseMap, wordFields } from './read-map.ts';
export { resultPathFor, writeResult } from './result.ts';
export type {
  ExtraRow,
  LongTable,
  ResultColumn,
  ResultPlan,
  ResultRow,
  ResultTable,
  Tone,
  Value,
} from './result-plan.ts';
export { type ShippedMap, shippedMaps } from './shipped-maps.ts';
export { type TemplateOptions, writeTemplate } from './template.ts';
