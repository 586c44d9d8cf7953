/** Payrun asks about a column whose header names a state or a decision, or whose cells put the rows into groups. */
import { describe, expect, it } from 'vitest';
import { createTally, valueKey } from '../../src/domain/rows/decision-column.ts';

const tallyOf = (header: string, cells: readonly (string | null)[]) => {
  const tally = createTally(header);
  for (const cell of cells) tally.add(cell);
  return tally;
};

describe('columns that may decide which rows to pay', () => {
  it.each([
    ['status', ['SUCCESSFUL', 'SUCCESSFUL', 'FAILED']],
    ['Status', ['Completed', 'Failed']],
    ['Status', ['Terminated', '']],
    ['Payment Status', ['offen', 'bezahlt']],
    ['paymentStatus', ['A', 'B']],
    ['Zahlstatus', ['1', '2']],
    ['Zahlungsfreigabe', ['Anna', '']],
    ['Statut du paiement', ['payé', 'en attente']],
    ['Estado', ['Pagado', 'Pendiente']],
    ['Result code', ['0', '2001']],
    ['Bezahlt', ['ja', 'nein']],
    ['Payé', ['oui', '']],
    ['Approuvé ?', ['O', 'N']],
    ['Genehmigt', ['Anna', 'Ben', '']],
    ['Include?', ['TRUE', 'FALSE']],
    ['Include', ['VRAI', 'FAUX']],
    ['Exclude', ['Yes', '']],
    ['Ready to pay', ['No', 'Yes']],
    ['Pay', ['now', 'later']],
    ['Pay (Y/N)', ['Y', 'N']],
    ['Do not pay', ['x', '']],
    ['Hold', ['HOLD', '']],
    ['Approved by', ['Ann', '']],
    ['Approved by', ['Ann', 'Ben']],
    ['Terminated', ['2026-10-31', '']],
    ['Paid on', ['12/11', '13/11', '']],
    ['Goedgekeur', ['Ja', 'Nee']],
    ['Imelipwa', ['ndiyo', 'hapana']],
    ['isActive', ['1', '0']],
    ['Action', ['pay', 'skip']],
    ['OK?', ['Ann', 'Ben']],
    ['Disbursed', ['2026-11-20', '']],
    ['Situação', ['Pago', 'Pendente']],
    ['PAY_FLAG', ['P', 'H']],
    ['Freigegeben am', ['12.11.2026', '']],
    ['Accepted', ['Ann', 'nobody']],
    ['November', ['x', '']],
    ['November', ['✓', '✗']],
    ['November', ['✓', '-']],
    ['Nov', ['☑', '☐']],
    ['Nov', ['✅', '']],
    ['Nov', ['1', '0']],
    ['Nov', ['1.0', '0.0']],
    ['Nov', ['1.00', '0,00']],
    ['Nov', ['ü', '']],
    ['Nov', ['✓ JM', '']],
    ['CFO', ['JM', '']],
    ['CFO', ['done', '']],
    ['CFO', ['Yes', 'No', 'tbc', 'Yes']],
    ['CFO', ['Yes, pay', 'No - disputed']],
    ['CFO', ['OK', 'NOK']],
    ['Оплата', ['так', 'ні']],
    ['CFO', [null, 'TRUE', 'FALSE']],
    ['Status', Array.from({ length: 30 }, (_, nth) => `Paid - EFT ${nth}`)],
    ['Paid at', Array.from({ length: 30 }, (_, nth) => `2026-11-20 10:${nth + 10}`)],
    ['Paid', ['0', '1501', '0']],
    ['Paid on', ['46346', '']],
    ['Paid in full', ['20 Nov', '']],
    ['Paid via', ['EFT', '']],
    ['Etat', ['payé', 'à payer']],
    ['Stand', ['offen', 'bezahlt']],
    ['Fehler', ['Konto gesperrt', '']],
    ['Hold reason', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Failure reason', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Checked by', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Genehmigt von', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Stato', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Gesperrt seit', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Approuvé par', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Imeidhinishwa na', ['', 'Ann', '', 'Bob', 'Cy', 'Dee', '']],
    ['Nov', ['1', '']],
    ['Nov', ['Y', 'no', '']],
    ['', ['x', '']],
    ['Transferred', ['2026-11-03', '']],
    ['Signed off', ['Ann Example', '']],
    ['Sign-off', ['Ann Example', '']],
    ['Signature', ['A. Example', '']],
    ['Payment stage', ['Settled', 'Draft']],
    ['Transaction message', ['Success', 'Error']],
    ['Provider comment', ['Payment successful', 'Insufficient funds']],
    ['Remarks', ['Unsuccessful: wrong account', '']],
    ['Remarks', ['Transaction was declined', 'Settled']],
    ['Bemerkung', ['erfolgreich', 'fehlgeschlagen', 'erfolgreich', 'fehlgeschlagen']],
    ['Obs', ['Rechazado', 'Exitoso', 'Exitoso']],
    ['Opmerking', ['Geslaagd', 'Mislukt', 'Geslaagd', 'Mislukt']],
    ['Примечание', ['Проведен', 'Отклонен']],
    ['备注', ['成功', '失败']],
    ['Gesendet am', ['03.11.2026', '']],
    ['Rejeté', ['motif inconnu', '']],
    ['Réussi', ['3 nov.', '']],
    ['Fallido', ['Exitoso', 'Fallido']],
    ['Resultaat', ['Geslaagd', 'Mislukt']],
    ['Haijalipwa', ['Ann Example', '']],
    ['Ikhokhiwe', ['Ann Example', '']],
    ['Ödendi', ['Banka', '']],
    ['Статус', ['Проведен', 'Отклонен']],
    ['状态', ['成功', '失败']],
    ['付款状态', ['A', 'B']],
    ['Kutumwa mwisho', ['2026-11-03', '', '2026-11-04']],
    ['Nov', ['Evet', 'Hayır']],
    ['Nov', ['EVET', 'HAYIR']],
    ['Nov', ['[x]', '[ ]']],
    ['Nov', ['(X)', '( )', '[]', '( )']],
    ['Nov', ['I', "A'a"]],
    ['Nov', ['Ee', 'A’a']],
    ['Nov', ['예', '아니오']],
    ['Nov', ['Ya', 'Tidak']],
    ['Nov', ['Có', 'Không']],
    ['Nov', ['Д', 'Н']],
    ['Nov', ['Bẹẹni', 'Bẹẹkọ']],
    ['Nov', ['Ee', 'Mba']],
    ['Nov', ['Yego', 'Oya']],
    ['Nov', ['Да', 'Не']],
    ['Nov', ['نعم', 'لا']],
    ['Colour', ['green', 'red']],
    ['Ampel', ['grün', 'rot', 'grün', 'rot']],
    ['Állapot', ['kifizetve', 'függőben']],
    ['สถานะ', ['จ่ายแล้ว', 'รอดำเนินการ']],
    ['Matsayi', ['An biya', 'Ba a biya ba']],
    ['Situation', ['payé', 'en attente']],
    ['Employment', ['Current', 'Former']],
    ['Invoice received', ['yes', 'missing']],
    ['Sanctions', ['clear', 'match']],
    ['Note', ['OK to pay', 'query', 'OK to pay', 'query']],
    ['Selection', ['ja bitte', 'lieber nicht']],
    ['Opłacone', ['opłacone', '']],
    ['CFO', ['J Mokoena', '']],
    ['Department approved', ['Sales', 'Ops']],
    ['Approved', [null, '']],
    ['Manager?', ['Ann Example', 'Ben Example']],
    ['Manager', ['x', '']],
    ['Manager', ['Refused', 'Ann']],
    ['Supervisor', ['Abgelehnt', 'Genehmigt']],
    ['Line manager', ['Refusé', 'Refusé', '']],
    ['Meneja', ['Imekataliwa', '']],
    ['Supervisor', ['Yes', 'No']],
    ['Bank', ['✓', '']],
    ['Provider', [...Array.from({ length: 8 }, (_, nth) => `Refused: ${nth}`), ...Array(8).fill('Done')]],
    ['Remarks', [...Array.from({ length: 4 }, (_, nth) => `Failed: reason ${nth}`), ...Array(4).fill('Paid')]],
    ['Pay?', ['1', '0', '']],
    ['Include', ['-1', '0']],
    ['Approved', ['100%', '0%']],
    ['Approved by', ['cfo@example.com', '']],
    ['Approved by', ['TOP', '']],
    ['Amount paid', ['12,000.00', '0']],
    ['Overtime approved', ['5', '0', '12']],
    ['Transaction Status', ['Completed', 'completed ']],
    ['Payment category', ['Refused', 'Approved', 'Approved']],
    ['Employee type', ['Active', 'Retired', 'Active']],
  ])('%j of %j', (header, cells) => {
    expect(tallyOf(header, cells).asks()).toBe(true);
  });

  it.each([
    ['Hali', ['Imelipwa', 'Haijalipwa', 'Imelipwa', 'Inasubiri']],
    ['Zahlen', ['-1', '0', '-1']],
    ['Nov', ['1', '0', '', '']],
    ['Code', ['1', '2', '2']],
    ['Class', ['Y', 'N']],
    ['Department', ['Sales', 'Ops', 'Sales']],
    ['Gender', ['M', 'F']],
    ['Middle name', ['Wambui', '']],
    ['Left on', ['2026-10-31', '', '2026-11-15']],
    ['Anything', ['on hold', '']],
    ['Message', Array.from({ length: 30 }, (_, nth) => (nth % 2 === 0 ? 'Sent' : `error ${nth}`))],
    ['Text', [null, null, 'x']],
  ])('%j of %j, by its cells alone', (header, cells) => {
    expect(tallyOf(header, cells).asks()).toBe(true);
  });

  it.each([
    ['Department', ['Sales', 'Ops', 'Sales', 'Kitchen', 'Office', 'Ops']],
    ['Cost centre', ['100', '200', '100']],
    ['Hours', ['40', '80', '0']],
    ['Bonus', ['500', '', '500']],
    ['Date received', ['2026-11-01', '2026-11-02', '2026-11-02']],
    ['Reason', ['Salary November', 'Invoice 31', 'Bus fares']],
    ['Notes', ['', '', 'new account', '', 'back pay', 'bonus included']],
    ['Employee', ['EMP-1', 'EMP-2', 'EMP-3']],
    ['No', ['1', '2', '3']],
    ['No', ['1', '2']],
    ['Total', [null, null]],
    ['Total', [null, '12']],
    ['Hold', ['', '-', 'n/a']],
    ['November', ['x', 'X']],
    ['Company', ['Acme', 'ACME ']],
    ['Anything', []],
  ])('not %j of %j', (header, cells) => {
    expect(tallyOf(header, cells).asks()).toBe(false);
  });

  it.each([
    ['Hold', 'No'],
    ['Do not pay', 'x'],
    ['Paid', 'yes'],
    ['Approved', 'Yes'],
    ['Pay?', 'No'],
    ['Include', 'FALSE'],
    ['Status', 'Cancelled'],
    ['Status', null],
  ])('%j, even if it says %j of every row', (header, cell) => {
    expect(tallyOf(header, [cell, cell]).asks()).toBe(true);
  });

  it('counts each value once, however it is written, and what is too much together', () => {
    const tally = tallyOf('Status', ['Paid', ' PAID', 'payé', 'Paye', '', '-', 'Open']);
    expect([tally.values(), tally.others()]).toEqual([
      [
        { text: 'Paid', rows: 2 },
        { text: 'payé', rows: 2 },
        { text: '', rows: 2 },
        { text: 'Open', rows: 1 },
      ],
      0,
    ]);
    expect(tallyOf('Sum', [null, '1', null]).unknown()).toBe(2);
    const many = tallyOf('Paid on', [...Array.from({ length: 40 }, (_, nth) => `2026-11-${nth}`), '', '']);
    expect(many.asks(), 'texts and empty cells').toBe(true);
    expect(many.values()[0]).toEqual({ text: '', rows: 2 });
    expect(many.values().reduce((sum, { rows }) => sum + rows, many.others())).toBe(42);
  });
});

it('compares a dash and n/a as an empty cell, and letters without their strokes', () => {
  expect(['n/a', '-', ' — ', '', 'OPŁACONE', 'Hayır'].map(valueKey)).toEqual(['', '', '', '', 'oplacone', 'hayir']);
});
