"""Writes workbooks with openpyxl: PYTHONPATH=where-it-is python3 test/corpus/make/openpyxl.py"""

import datetime
import json
import pathlib
import subprocess
import sys

# This file has the library's name; its folder must not be searched.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).resolve().parent]

from openpyxl import Workbook  # noqa: E402
from openpyxl.cell.rich_text import CellRichText, TextBlock  # noqa: E402
from openpyxl.cell.text import InlineFont  # noqa: E402
from openpyxl.comments import Comment  # noqa: E402
from openpyxl.formatting.rule import CellIsRule  # noqa: E402
from openpyxl.styles import Font, PatternFill  # noqa: E402
from openpyxl.utils.datetime import CALENDAR_MAC_1904  # noqa: E402
from openpyxl.workbook.defined_name import DefinedName  # noqa: E402
from openpyxl.worksheet.datavalidation import DataValidation  # noqa: E402
from openpyxl.worksheet.table import Table  # noqa: E402

folder = pathlib.Path(__file__).parent.parent / "openpyxl"
folder.mkdir(exist_ok=True)
texts = []

words = ["name", "country", "bank_name", "account_number", "amount", "reference"]
ada = ["Ada Obi", "Nigeria", "First Bank of Nigeria", "0000014579", 350000, "PO 7781"]
ade = ["Ade Bello", "Nigeria", "Guaranty Trust Bank", "0123456785", 250000, "INV 204"]
thandi = ["Thandi Mokoena", "South Africa", "Standard Bank", "10004291601", 12500, "SALARY NOV"]


def book(rows):
    workbook = Workbook()
    workbook.properties.created = workbook.properties.modified = datetime.datetime(2026, 11, 20)
    sheet = workbook.active
    sheet.title = "Payouts"
    for row in rows:
        sheet.append(row)
    return workbook, sheet


def put(name, about, workbook, *flags):
    workbook.save(folder / f"{name}.xlsx")
    texts.append({"name": f"openpyxl/{name}.xlsx", "about": about, **({"flags": flags} if flags else {})})


def changed(column, value):
    row = list(ada)
    row[column] = value
    return row


put("plain", "Three payouts.", book([words, ada, ade, thandi])[0])

workbook = Workbook(write_only=True)
sheet = workbook.create_sheet("Payouts")
for row in [words, ada, ade, thandi]:
    sheet.append(row)
put("write-only", "Written row by row.", workbook)

workbook, sheet = book([words, changed(4, "=100000*3.5"), changed(5, '="PO "&7782')])
put("formulas-never-calculated", "Formulas as a program writes them: no results are stored, so nothing can be paid from them.", workbook)

workbook, sheet = book([words, changed(5, datetime.date(2026, 3, 12)), changed(5, datetime.datetime(2026, 3, 1, 14, 30)), changed(5, datetime.time(18, 0)), changed(5, datetime.timedelta(hours=30))])
put("dates", "Dates, times and a span of thirty hours where references belong.", workbook)

workbook, sheet = book([words, changed(5, datetime.date(2026, 3, 12))])
workbook.epoch = CALENDAR_MAC_1904
put("dates-since-1904", "Days that are counted from 1904.", workbook)

workbook, sheet = book([words, changed(5, datetime.datetime(2026, 3, 12))])
workbook.iso_dates = True
put("dates-as-iso-texts", "Dates stored as ISO texts.", workbook)

workbook, sheet = book([words, changed(3, 14579), changed(3, 123456785), changed(4, 349999.99999999994), changed(4, 0.1 + 0.2), changed(4, 350000.0), changed(4, 1e21), changed(4, True)])
sheet["D2"].number_format = "0000000000"
sheet["E6"].number_format = '"R" #,##0.00'
put("numbers", "Accounts as numbers, with and without a format that shows their zeros; amounts with drift, a fraction, an exponent.", workbook)

workbook, sheet = book([words, ada, ade, thandi])
sheet.row_dimensions[3].hidden = True
sheet.auto_filter.ref = "A1:F4"
sheet.auto_filter.add_filter_column(0, ["Ada Obi", "Thandi Mokoena"])
sheet.row_dimensions.group(4, 4, hidden=True)
put("hidden-rows", "A filtered row and one of a folded group.", workbook, "", "--include-hidden")

workbook, sheet = book([words, ada, ade, thandi])
sheet.column_dimensions.group("D", "E", hidden=True)
put("hidden-columns", "Columns of a folded group.", workbook)

workbook, sheet = book([["Payouts of November"], [], words, ada, ade, ["Total", None, None, None, 600000]])
sheet.merge_cells("A1:F1")
sheet.merge_cells("A6:D6")
put("merged-around", "Merged cells in the title and in the totals row do no harm.", workbook)

workbook, sheet = book([words, ada, ade])
sheet.merge_cells("A2:A3")
put("merged-payees", "One payee merged over two payouts.", workbook)

workbook, sheet = book([words, ada])
sheet["A2"] = CellRichText("Ada ", TextBlock(InlineFont(b=True), "Obi"))
sheet["F2"].hyperlink = "https://example.com/po/7781"
sheet["E2"].comment = Comment("approved", "N. Dlamini")
sheet["A1"].font = Font(bold=True)
put("rich-text-links-comments", "Rich text, a link and a comment.", workbook)

workbook, sheet = book([words, ada, ade])
sheet.add_table(Table(displayName="Payouts", ref="A1:F3"))
rule = DataValidation(type="list", formula1='"Nigeria,Kenya"')
rule.add("B2:B1048576")
sheet.add_data_validation(rule)
sheet.conditional_formatting.add("E2:E1048576", CellIsRule(operator="greaterThan", formula=["50000"], fill=PatternFill(bgColor="FFEEEE")))
workbook.defined_names["amounts"] = DefinedName("amounts", attr_text="Payouts!$E$2:$E$3")
sheet.protection.sheet = True
sheet.protection.password = "secret"
sheet.freeze_panes = "B2"
sheet.print_title_rows = "1:1"
put("table-rules-protection", "A table, a rule for a whole column, conditional formats, a name, protection.", workbook)

workbook, sheet = book([words, ada])
notes = workbook.create_sheet("Notes", 0)
notes["B2"] = "Please pay by Friday."
hidden = workbook.create_sheet("Lists")
hidden.sheet_state = "veryHidden"
hidden.append(["Nigeria"])
workbook.create_chartsheet("Chart")
put("several-sheets", "Notes first, a chart sheet, a very hidden list.", workbook)

workbook, sheet = book([words, changed(0, "Ọládélé\nÀjàyí"), changed(0, "Ada_x000D_Obi"), changed(5, " PO 7781"), changed(0, "#N/A"), changed(0, "'Ada"), changed(0, "M&S <Ltd>")])
put("odd-texts", "A line break, what looks like an escape, outer spaces, an error value, an apostrophe, signs of XML.", workbook)

workbook, sheet = book([words, ada])
sheet["F5000"] = "PO 1"
sheet["Z2"] = "remark"
put("far-away", "A cell far below and one far to the right.", workbook)

place = pathlib.Path(__file__).parent / "place.ts"
script = f"const {{ placeText }} = await import({json.dumps(str(place))}); for (const one of {json.dumps(texts)}) placeText(one);"
subprocess.run(["node", "--input-type=module", "-e", script], check=True)
