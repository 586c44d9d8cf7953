/** Finds cells that a conditional format may strike out. Only a spreadsheet program can evaluate the condition. */
import { type CellRange, rangeOf } from '../../columns/column-name.ts';
import { isOn, type Tag } from '../../xml/xml.ts';

/** The most ranges to remember. With more ranges, every cell counts as possibly struck out. */
const maxRanges = 1000;
const everywhere: CellRange = { top: 1, bottom: Number.MAX_SAFE_INTEGER, left: 0, right: Number.MAX_SAFE_INTEGER };

export function createStrikingStyles() {
  const striking = new Set<number>();
  let style = -1;
  return {
    striking: striking as ReadonlySet<number>,
    add(tag: Tag): void {
      if (tag.name === 'dxf') style += 1;
      else if (tag.name === 'strike' && isOn(tag.attribute('val'))) striking.add(style);
    },
  };
}

export function createStrikingRules(striking: ReadonlySet<number>) {
  const ranges: CellRange[] = [];
  let over: readonly CellRange[] = [];
  const strike = (struck: readonly CellRange[]) => {
    if (ranges.length + struck.length <= maxRanges) ranges.push(...struck);
    else ranges.splice(0, ranges.length, everywhere);
  };
  return {
    ranges: ranges as readonly CellRange[],
    setRange(reference: string): void {
      const references = striking.size === 0 ? [] : reference.trim().split(/\s+/);
      over = references.length > maxRanges ? [everywhere] : references.map((one) => rangeOf(one) ?? everywhere);
    },
    addRule(style: string | undefined): void {
      if (style !== undefined && striking.has(Number(style))) strike(over);
    },
    /** Adds a rule that contains its style. The file names the rule's cells later, so all cells may be struck out. */
    addOwnStyle(value: string | undefined): void {
      if (isOn(value)) strike([everywhere]);
    },
  };
}
