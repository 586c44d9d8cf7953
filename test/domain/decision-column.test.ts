/** A column that divides the rows is asked about, unless its header is harmless, or it counts or names. */
import { describe, expect, it } from 'vitest';
import { createTally, valueKey } from '../../src/domain/rows/decision-column.ts';

const tallyOf = (header: string, cells: readonly (string | null)[]) => {
  const tally = createTally(header);
  for (const cell of cells) tally.add(cell);
  return tally;
};

describe('columns that divide their rows by a state, a decision, yes or no', () => {
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
    ['Remarks', ['Payment successful', 'Insufficient funds', 'Account closed']],
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
    ['Nov', ['(X)', '( )', '[]']],
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
    ['RAG', ['G', 'R', 'A']],
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
    ['Supervisor', ['Yes', 'No']],
    ['Bank', ['✓', '']],
    ['Checks', ['a', 'b', 'c', 'd', 'e', '']],
    ['Provider', [...Array.from({ length: 8 }, (_, nth) => `Refused: ${nth}`), ...Array(8).fill('Done')]],
    ['Remarks', [...Array.from({ length: 8 }, (_, nth) => `Failed: reason ${nth}`), 'new account']],
    ['Pay?', ['1', '0', '']],
    ['Include', ['-1', '0']],
    ['Approved', ['100%', '0%']],
    ['Approved by', ['cfo@example.com', '']],
    ['Approved by', ['TOP', '']],
    ['Amount paid', ['12,000.00', '0']],
    ['Overtime approved', ['5', '0', '12']],
    ['Transaction Status', ['Completed', 'completed ']],
  ])('%j of %j', (header, cells) => {
    expect(tallyOf(header, cells).asks()).toBe(true);
  });

  it.each([
    ['Department', ['Sales', 'Ops', 'Sales']],
    ['Department', ['HR', 'IT']],
    ['Cost centre', ['100', '200']],
    ['Gender', ['M', 'F']],
    ['Grade', ['A', 'B', 'C']],
    ['Pay group', ['Weekly', 'Monthly']],
    ['Payment method', ['EFT', 'Cash']],
    ['Transaction type', ['Salary', 'Bonus']],
    ['Payer', ['Company A', 'Company B']],
    ['Branch name', ['Main Road', '']],
    ['Middle name', ['Wambui', '']],
    ['Email', ['a@example.com', '']],
    ['Job title', ['Driver', 'Cook']],
    ['Region', ['North', 'South', '']],
    ['Employee type', ['Permanent', 'Contract']],
    ['Date received', ['2026-11-01', '2026-11-02']],
    ['Notes', ['bonus included', '']],
    ['Dependants', ['2', '0']],
    ['Statutory deductions', ['1200', '1300']],
    ['Account holder', ['Ann', 'Ben']],
    ['Approved', ['yes', 'Yes']],
    ['Hold', ['', '-', 'n/a']],
    ['Include', ['x']],
    ['Bonus', ['500', '']],
    ['Title', ['Mr', 'Mrs', 'Ms']],
    ['Total', [null, null]],
    ['Department', ['Customer Success', 'Sales']],
    ['Department', ['Accounts Payable', 'Processing plant']],
    ['Middle name', ['Success', 'Wambui', 'Grace']],
    ['Méthode de paiement', ['Virement', 'Chèque']],
    ['Date of birth', ['1985-01-02', '']],
    ['Eintrittsdatum', ['01.02.2020', '']],
    ['Due', ['2026-12-01', '']],
    ['Allowance', ['12.10', '']],
    ['Supplier name', ['Acme', 'Umbrella', 'Acme']],
    ['Kostenstelle', ['Werk', 'Verwaltung']],
    ['Cost Center Name', ['Plant', 'Office', 'Sales']],
    ['Idara', ['Mauzo', 'Fedha']],
    ['Centro de custo', ['Fábrica', 'Loja']],
    ['Tax code', ['BR', '0T', 'BR']],
    ['Notes', ['', '', 'new account', '', 'back pay', 'bonus included']],
    ['Reason', ['Salary November', 'Invoice 31', 'Bus fares']],
    ['Known as', ['Wambui', 'Achieng', 'Mary-Ann']],
    ['Checks', ['a', 'b', 'c', 'd', 'e', 'f', '']],
    ['Anything', ['on hold', '']],
    ['Region', ['N', 'S', 'W']],
    ['Recipient', ['ann@mail.example', 'ben@mail.example']],
    ['Bonus', Array.from({ length: 3000 }, (_, nth) => String(nth % 2 === 0 ? 0 : nth))],
  ])('not %j of %j', (header, cells) => {
    expect(tallyOf(header, cells).asks()).toBe(false);
  });

  it.each([
    ['Hold', 'yes'],
    ['Do not pay', 'x'],
    ['Skip', 'yes'],
    ['Exclude', 'TRUE'],
    ['Paid', 'yes'],
    ['Approved', 'No'],
    ['Pay?', 'No'],
    ['Include', 'FALSE'],
    ['Status', 'Cancelled'],
    ['Approved', '[ ]'],
    ['Status', null],
  ])('%j says %j of every row', (header, cell) => {
    expect(tallyOf(header, [cell, cell]).asks()).toBe(true);
  });

  it.each([
    ['Hold', 'No'],
    ['Paid', 'no'],
    ['Approved', 'yes'],
    ['Include', 'x'],
    ['November', 'x'],
    ['November', 'no'],
  ])('%j may say %j of every row', (header, cell) => {
    expect(tallyOf(header, [cell, cell]).asks()).toBe(false);
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

it('asks about merged cells, even where their value is a stop mark and so an error on its row', () => {
  const tally = tallyOf('Batch note', ['PAID', '']);
  expect([tally.asks(), tally.asks(true)]).toEqual([false, true]);
});

it('compares a dash and n/a as an empty cell, and letters without their strokes', () => {
  expect(['n/a', '-', ' — ', '', 'OPŁACONE', 'Hayır'].map(valueKey)).toEqual(['', '', '', '', 'oplacone', 'hayir']);
});
