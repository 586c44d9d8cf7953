"""Writes workbooks with XlsxWriter, which data people use under pandas: PYTHONPATH=where-it-is python3 test/corpus/make/xlsxwriter.py"""

import datetime
import json
import pathlib
import subprocess
import sys

# This file has the library's name; its folder must not be searched.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).resolve().parent]

import xlsxwriter  # noqa: E402

folder = pathlib.Path(__file__).parent.parent / "xlsxwriter"
folder.mkdir(exist_ok=True)
texts = []

words = ["name", "country", "bank_name", "account_number", "amount", "reference"]
ada = ["Ada Obi", "Nigeria", "First Bank of Nigeria", "0000014579", 350000, "PO 7781"]
ade = ["Ade Bello", "Nigeria", "Guaranty Trust Bank", "0123456785", 250000, "INV 204"]


def put(name, about, fill, options=None, flags=None):
    workbook = xlsxwriter.Workbook(str(folder / f"{name}.xlsx"), options or {})
    workbook.set_properties({"created": datetime.datetime(2026, 11, 20)})
    sheet = workbook.add_worksheet("Payouts")
    for index, row in enumerate([words, ada, ade]):
        sheet.write_row(index, 0, row)
    fill(workbook, sheet)
    workbook.close()
    texts.append({"name": f"xlsxwriter/{name}.xlsx", "about": about, **({"flags": flags} if flags else {})})


put("plain", "Two payouts, as pandas writes them.", lambda workbook, sheet: None)
put("constant-memory", "Written with constant memory: texts within the cells.", lambda workbook, sheet: None, {"constant_memory": True})
put("texts-to-numbers", "Texts that look like numbers were written as numbers, which some people ask for: accounts lose their zeros.", lambda workbook, sheet: None, {"strings_to_numbers": True})


def formulas(workbook, sheet):
    sheet.write_formula("E2", "=100000*3.5", None, 350000)
    sheet.write_formula("E3", "=100000*2.5")
    sheet.write_row(3, 0, ada)
    sheet.write_formula("F4", '="PO "&7782', None, "PO 7782")
    sheet.write_row(4, 0, ada)
    sheet.write_array_formula("E5:E5", "{=SUM(E2:E3)}", None, 600000)
    sheet.write_row(5, 0, ada)
    sheet.write_dynamic_array_formula("E6:E6", "=LEN(A2)", None, 7)


put("formulas", "Formulas with results, and one whose result was left out: XlsxWriter stores a zero there, and zero is not paid.", formulas)


def formats(workbook, sheet):
    for index, code in enumerate(["0000000000", "#,##0.00", '[$₦-468]#,##0', "[$$-409]#,##0.00", '"R"#,##0', "0%", "0,", "@"]):
        row = list(ada)
        row[5] = f"PO {index}"
        sheet.write_row(index + 3, 0, row)
        column, value = (3, 14579) if index == 0 else (4, 350000)
        sheet.write_number(index + 3, column, value, workbook.add_format({"num_format": code}))
    sheet.write_datetime("F2", datetime.date(2026, 3, 12), workbook.add_format({"num_format": "d mmm yyyy"}))


put("formats", "Number formats and a date.", formats)


def hidden(workbook, sheet):
    sheet.set_row(2, None, None, {"hidden": True})
    sheet.set_column("F:F", None, None, {"hidden": True})
    sheet.set_default_row(hide_unused_rows=True)


put("hidden", "A hidden row, a hidden column, unused rows hidden by default.", hidden, None, ["", "--include-hidden"])


def rich(workbook, sheet):
    bold = workbook.add_format({"bold": True})
    sheet.write_rich_string("A2", "Ada ", bold, "Obi")
    sheet.write_url("F2", "https://example.com/po", string="PO 7781")
    sheet.write_comment("E2", "approved")
    sheet.write_boolean("B3", True)
    sheet.write_blank("C3", None, bold)
    sheet.insert_textbox("H2", "A note that floats over the cells: 999")


put("rich-text-links", "Rich text, a link, a comment, a text box, TRUE where a country belongs.", rich)


def table(workbook, sheet):
    sheet.add_table("A1:F4", {"total_row": True, "columns": [{"header": word, **({"total_function": "sum"} if word == "amount" else {"total_string": "Total"} if word == "name" else {})} for word in words]})
    sheet.write_formula("E4", "=SUBTOTAL(109,E2:E3)", None, 600000)
    chart = workbook.add_chart({"type": "column"})
    chart.add_series({"values": "=Payouts!$E$2:$E$3"})
    sheet.insert_chart("H2", chart)
    sheet.data_validation("B2:B1048576", {"validate": "list", "source": ["Nigeria", "Kenya"]})
    sheet.conditional_format("E2:E3", {"type": "data_bar"})
    sheet.write("H20", "see the chart")


put("table-and-chart", "A table with totals, a chart, and a remark beside them in a row of its own.", table)

place = pathlib.Path(__file__).parent / "place.ts"
script = f"const {{ placeText }} = await import({json.dumps(str(place))}); for (const one of {json.dumps(texts)}) placeText(one);"
subprocess.run(["node", "--input-type=module", "-e", script], check=True)
