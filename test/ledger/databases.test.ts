/** One story told to a ledger on SQLite and to one on Postgres: whatever is then read of the two is the same. */
import { expect, it } from 'vitest';
import { collectFindings } from '../../src/audit/findings.ts';
import { auditLedger } from '../../src/audit/verify.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import {
  type DraftRow,
  type Ledger,
  type LedgerRow,
  matchTimes,
  openLedger,
  type RowState,
} from '../../src/ledger/ledger.ts';
import { newPlace, stores } from './stores.ts';

const address = 'https://pay.example';
const identity = `${address}|key:1|tenant`;
const money = { currency: 'ZAR', unit: 'whole' } as const;
const noon = Date.UTC(2026, 10, 20, 12);

/** Each look at it is a minute later. */
function steppingClock(): Clock {
  let looks = 0;
  return { ...systemClock, now: () => noon + looks++ * 60_000, randomHex: (bytes) => 'ab'.repeat(bytes) };
}

/** Of a payroll that is much the same each month: every third row is paid in rand above the limit, every fifth has a document. */
function rowOf(n: number, month: number): DraftRow {
  const kenya = n % 3 === 1;
  const [country, currency] = kenya ? ['Kenya', 'KES'] : ['SouthAfrica', 'ZAR'];
  // One account for each of the last two payees; the seventh gets another one each month.
  const account = n === 7 ? `acc${n}-${month}` : `acc${n === 19 ? 18 : n}`;
  const destination = kenya
    ? `Kenya|${n % 2 === 0 ? 'MOMO' : 'MPESA'}|+2547${String(n).padStart(8, '0')}`
    : `SouthAfrica|Bank|${account}`;
  const amount = 40_000 + n * 1000 + (n % 4 === 0 ? month : 0);
  const reference = n % 6 === 0 ? `Salary ${month}` : 'Salary';
  const name = n === 8 ? `Zoë ${'Ünder\n'.trim()} ${n}` : `Payee ${n}`;
  const facts = `${destination} ${amount} ${reference}`;
  return {
    number: n + 2,
    key: `k${n}`,
    rowId: `k${n}`,
    digest: `d ${facts}`,
    likeness: `l ${facts}`,
    content: JSON.stringify({ rowId: null, name, reference, amount, destination: { country } }),
    amount,
    unit: 'whole',
    currency: currency!,
    fromCountry: n % 4 === 2 ? 'Kenya' : null,
    country: country!,
    destination,
    collection: kenya ? 'MOMO' : null,
    payee: {
      id: n % 2 === 0 ? `id${n}` : null,
      name: name.toLowerCase(),
      account: destination.replace(/MOMO|MPESA/, ''),
    },
    documents: n % 5 === 0 ? [{ name: `${n}.pdf`, path: `/d/${n}.pdf`, sha256: `sha${n % 10}`, sizeBytes: n }] : [],
  };
}

const count = 20;
const rowsOf = (month: number, ...more: DraftRow[]) => [
  ...Array.from({ length: count }, (_, n) => rowOf(n, month)),
  ...more,
];

it.each(stores)('what an auditor reads on %s stood there at one moment, whoever writes meanwhile', async (store) => {
  const place = await newPlace(store);
  const writer = openLedger(place, systemClock);
  const read = (readOnly: true | 'at-one-moment') => {
    const reader = openLedger(place, systemClock, { readOnly });
    const evidence = reader.trail.evidence();
    const counts = () => [[...evidence.trail()].length, [...evidence.gone()].length];
    return { counts, before: counts(), close: () => reader.close() };
  };
  const [auditor, looker] = [read('at-one-moment'), read(true)];
  await writer.rows.markGone('p1', 'it is not theirs', null);
  expect(auditor.counts()).toEqual(auditor.before);
  expect(looker.counts()).not.toEqual(looker.before);
  await auditor.close();
  await looker.close();
  await writer.close();
});

/** Everything that can be read of the sheet that is being checked. */
async function readDraft(ledger: Ledger, batch: string): Promise<unknown> {
  const { draft } = ledger;
  ledger.payees.lookAtPayees(batch, address);
  draft.hold(new Set(ledger.payees.changedInDraft()));
  const odd = (['changed', 'elsewhere', 'new'] as const).map((verdict) => ledger.payees.oddPayees(verdict, 100));
  const caps = { row: 50_000n, batch: 1n, day: 1n, payee: 60_000n };
  const span = { country: 'Kenya', currency: 'KES', least: 1, most: 45_000 };
  const day = { address, from: 0, until: noon * 2 };
  return {
    counts: draft.counts(),
    kinds: draft.problemKinds(10),
    problems: [draft.problems(3), [...draft.eachProblem()]],
    digest: [draft.digest(), draft.accounts()],
    totals: [draft.totals(), draft.countryTotals()],
    alike: [...draft.alike()],
    beyond: [[...draft.beyond([span], null)], [...draft.beyond([span], batch)], [...draft.beyond([], batch)]],
    bare: [[...draft.withoutDocuments(50_000, null)], [...draft.withoutDocuments(50_000, batch)]],
    collections: draft.collections(),
    compare: await ledger.versions.compare(batch),
    lines: [
      await ledger.versions.countsWithDraft(batch, false),
      await ledger.versions.countsWithDraft(batch, true),
      await ledger.versions.countsWithDraft(null, false),
    ],
    dropped: await ledger.versions.droppedByDraft(batch, 100),
    closed: await ledger.versions.closedInDraft(batch),
    planned: [
      [...ledger.versions.plannedRows(batch)],
      ledger.versions.plannedRow(batch, 'k3'),
      ledger.versions.plannedRow(batch, 'none'),
    ],
    merchants: [...ledger.versions.plannedMerchants(batch, identity)],
    batches: await ledger.versions.batchesOfDraft(),
    alikes: await ledger.batches.batchesAlike({ batch, address, digest: draft.digest(), sums: 'sums', since: 0 }),
    series: await ledger.batches.lastOfSeries('pay', batch, address),
    // In no order of theirs.
    before: Array.from(ledger.batches.moneyByPayee('m1'), ({ currency, unit, was, now, number, name }) =>
      JSON.stringify([currency, unit, was, now, number, name]),
    ).sort(),
    payees: [odd, ledger.payees.knownOtherwise(100), draft.sharedAccounts(100)],
    documents: [ledger.documents.documentsAgain(batch, address, 100), await ledger.versions.documentsToAttach(batch)],
    matches: await Promise.all(
      [true, false].map((isAddition) => ledger.duplicates.matchesOfDraft(batch, isAddition, times)),
    ),
    caps: await ledger.batches.capFigures({ batch, retried: null, money, cap: caps as never, day }),
  };
}

const times = { address, since: 0, now: noon * 2 };

async function readBatch(ledger: Ledger, batch: string): Promise<unknown> {
  const facts = await ledger.batches.batch(batch);
  const sheet = facts!.sheet.id;
  const rows = await ledger.rows.list({ batch, limit: 100 });
  const page = { from: 0, limit: 100 };
  const day = { address, from: 0, until: noon * 2 };
  const caps = { row: 1n, batch: 1n, day: 1n, payee: 1n };
  const one = rows[3]!;
  const span = { country: 'Kenya', currency: 'KES', least: 1, most: 45_000 };
  return {
    facts: [facts, await ledger.batches.list(), await ledger.batches.invalidRows(sheet, 0, 100)],
    rows,
    some: [
      await ledger.rows.list({ batch, states: ['sending'], limit: 9 }),
      await ledger.rows.list({ batch, states: ['accepted', 'succeeded'], since: sheet, within: [span], limit: 9 }),
      await ledger.rows.list({ batch, beyond: [span], afterId: 3, limit: 9 }),
      await ledger.rows.rowsByNumber(batch, sheet, 0, 100),
      await ledger.rows.otherRows(batch, sheet, 0, 100),
      await ledger.rows.newestPaid(batch, 100),
      await ledger.rows.paidOtherwise(batch, 100),
      await ledger.rows.firstReadyOfKinds(batch, sheet, [span]),
    ],
    found: [
      await ledger.rows.rowByKey(batch, one.key),
      await ledger.rows.rowByTag(one.tag),
      await ledger.rows.rowByPayment('none'),
      await ledger.rows.earlierPayment(one.paymentId ?? ''),
    ],
    kinds: await ledger.rows.readyKinds(batch, sheet),
    counts: [await ledger.rows.counts(batch), await ledger.rows.list({ batch, closed: true, limit: 100 })],
    words: [
      await ledger.rows.endedOtherwise(batch),
      await ledger.rows.everSent(batch),
      await ledger.rows.everAccepted(batch),
      await ledger.rows.unknownDoubles(batch),
      await ledger.rows.unknownDoubles(null),
      await ledger.rows.hasEarlierPayments(batch),
      await ledger.rows.hasEarlierPayments(null),
    ],
    moments: [await ledger.rows.lastSent(batch), await ledger.rows.lastTried(batch)],
    timeline: await ledger.batches.timeline(batch, 7),
    deposits: await ledger.rows.changedDeposits(batch),
    matches: [
      await ledger.duplicates.matchesOfRows(batch, times),
      await ledger.versions.unpaidInDraft(batch),
      await ledger.duplicates.matchNames(batch, one.id, times),
    ],
    copies: [
      await ledger.duplicates.copiesIn(batch),
      await ledger.duplicates.copiesOf(rows.map(({ id }) => id)),
      await ledger.duplicates.livingCopies(batch),
      await ledger.duplicates.livingCopies(null),
    ],
    payees: [await ledger.payees.changedPayees(batch, address), ledger.uploads.makersOf(batch, null)],
    caps: [
      await ledger.batches.capFigures({ batch, retried: [one.id], money, cap: caps as never, day }),
      await ledger.batches.approvedToSend({ batch, money, day }),
    ],
    merchants: [...ledger.payees.merchants(batch, sheet, identity, ['wanted', 'known'])],
    documents: [
      await ledger.documents.list(batch, ['due', 'attached', 'in_doubt'], 0, 100),
      await ledger.documents.documentCounts(batch),
      await ledger.documents.documentsOf(one.id),
    ],
    trail: [
      await ledger.trail.lines(batch, 10),
      await ledger.trail.trailPage(batch, { from: 1, limit: 5 }),
      await ledger.trail.trailOf(one.id),
      await ledger.trail.newestEntry(batch, 'pass', 'run'),
    ],
    pages: [
      ledger.pages.rows({ batch, ...page }),
      ledger.pages.rows({ batch, states: ['succeeded'], q: 'PAYEE 1', masked: true, ...page }),
      ledger.pages.search({ q: '%', limit: 9 }),
      ledger.pages.payees('pAYEE', 100),
      ledger.pages.payees('id1', 100, true),
      ledger.pages.payeeRows('payee 1', 10),
    ],
    passes: [
      ledger.passes.missing(identity, 0, noon * 2),
      ledger.passes.sightings(matchTimes(identity, noon).address),
      ledger.passes.misnamed(identity),
      ledger.passes.strangers(),
      ledger.passes.matches(batch, sheet, { lead: 0, since: 0 }),
      ledger.passes.holdsIntentAfter(identity, noon),
      ledger.passes.tagless(identity),
    ],
  };
}

function readEvidence(ledger: Ledger): unknown {
  const evidence = ledger.trail.evidence();
  const findings = collectFindings();
  auditLedger(ledger.trail.evidence(), findings);
  return {
    faults: evidence.faults(),
    findings: findings.list,
    tables: (
      [
        'trail',
        'rows',
        'strayContents',
        'batches',
        'sheets',
        'invalid',
        'documents',
        'merchants',
        'gone',
        'copies',
        'earlier',
      ] as const
    ).map((table) => [...evidence[table]()]),
  };
}

async function take(ledger: Ledger, batch: string, options: Record<string, unknown>) {
  const sheet = { name: `${batch}.csv`, origin: `/${batch}.csv`, copy: `/c/${batch}.csv`, options };
  const order = { batch, identity, service: address, repeatReason: null, sheet };
  return await ledger.versions.importDraft({
    base: Number.MAX_SAFE_INTEGER,
    isAddition: false,
    mayRepeat: false,
    plan: null,
    ...order,
    entries: [{ what: 'history', data: { seen: 1 } }],
  });
}

async function enroll(ledger: Ledger, batch: string, sheet: number): Promise<void> {
  await ledger.payees.wantMerchants(batch, sheet, identity);
  const wanted = [...ledger.payees.merchants(batch, sheet, identity, ['wanted'])].flat();
  await ledger.payees.moveMerchants(
    identity,
    wanted.map((merchant) => ({ merchant, to: 'creating' as const })),
  );
  const creating = [...ledger.payees.merchants(batch, sheet, identity, ['creating'])].flat();
  await ledger.payees.moveMerchants(
    identity,
    creating.map((merchant) => ({ merchant, to: 'known' as const, merchantId: `m ${merchant.destination}` })),
  );
  const seen = creating.map(({ destination }) => ({ id: `m ${destination}`, destination, name: 'N' }));
  await ledger.payees.seeMerchants(identity, [...seen, { id: 'foreign', destination: 'elsewhere', name: 'F' }]);
  await ledger.payees.readyRows(batch, sheet, identity);
}

async function move(ledger: Ledger, row: LedgerRow, ...states: RowState[]): Promise<void> {
  let from = row.state;
  for (const to of states) {
    const payment = to === 'accepted' ? { paymentId: `p${row.id}`, acceptedAt: noon + row.id } : {};
    const told = to === 'succeeded' ? { told: '{"fees":1}', paymentStatus: row.id % 2 === 0 ? 'success' : 'done' } : {};
    await ledger.rows.move({
      row: { ...row, state: from },
      from,
      to,
      ...payment,
      ...told,
      ...(to === 'sending' ? { attempted: 1 } : {}),
    });
    from = to;
  }
}

/** Two months of one payroll, with what goes wrong in between; after each part all of it is read. */
async function story(ledger: Ledger): Promise<unknown[]> {
  const read: unknown[] = [];
  const readAll = async (batch: string) => read.push(await readDraft(ledger, batch), await readBatch(ledger, batch));
  const { draft } = ledger;
  draft.add(rowsOf(1));
  read.push(await readDraft(ledger, 'm1'));
  const first = await take(ledger, 'm1', {
    series: 'pay',
    sums: 'sums',
    by: 'Ann',
    plan: { maker: 'Ben', policy: 'p' },
  });
  await enroll(ledger, 'm1', first.sheet.id);
  const [payee] = [...ledger.payees.merchants('m1', first.sheet.id, identity, ['known'])].flat();
  await ledger.payees.moveMerchants(identity, [{ merchant: payee!, to: 'known', merchantId: 'another' }]);
  expect(
    await ledger.payees.readyRows('m1', first.sheet.id, identity),
    'the rows of the payee that is another one',
  ).toBe(1);
  read.push([...ledger.payees.seenFor(rowsOf(1).map(({ destination }) => destination))]);
  await readAll('m1');
  const rows = await ledger.rows.list({ batch: 'm1', limit: 100 });
  for (const row of rows.slice(0, 14))
    await move(ledger, row, 'sending', 'accepted', row.id % 5 === 0 ? 'expired' : 'succeeded');
  await move(ledger, rows[14]!, 'sending', 'refused');
  await move(ledger, rows[15]!, 'sending', 'in_doubt');
  await move(ledger, rows[16]!, 'sending');
  await ledger.rows.note(rows[2]!.state === 'ready' ? (await ledger.rows.row(rows[2]!.id))! : rows[2]!, {
    paidAmount: 7,
    paymentId: 'px',
  });
  await ledger.batches.keepQuiet('m1', noon + 5);
  await ledger.batches.proveList('m1');
  await ledger.rows.markGone('p3', 'nobody has it', null);
  await ledger.rows.markGone('p3', 'said twice', null);
  const due = (await ledger.documents.list('m1', ['due'], 0, 100))[0]!;
  await ledger.documents.moveDocument(due, 'uploading');
  expect(await ledger.rows.recover()).toBe(1);
  expect((await ledger.documents.list('m1', ['in_doubt'], 0, 100)).map(({ id }) => id)).toContain(due.id);
  await readAll('m1');

  ledger.passes.begin();
  const seen = (id: string, more: object) =>
    ({
      id,
      tag: null,
      merchantId: null,
      amount: null,
      reference: null,
      status: 'open',
      ending: 'open',
      at: null,
      latest: null,
      ...more,
    }) as never;
  const [one, two, , four] = await ledger.rows.list({ batch: 'm1', limit: 4 });
  ledger.passes.add([
    seen('p1', { tag: one!.tag, amount: one!.amount, at: noon, ending: 'success' }),
    seen('p2', { tag: 'other', amount: two!.amount }),
    seen('p1', { ending: 'expired', status: 'expired' }),
    seen('p\u00003', { tag: 'two that Postgres keeps as one', amount: 3 }),
    seen('p\u24003', { tag: 'two that Postgres keeps as one', amount: 3 }),
    seen('s1', { tag: `q${'z'.repeat(19)}`, amount: 1 }),
    seen('s2', { tag: `Q${'z'.repeat(19)}`, amount: 2 }),
    seen('s3', { tag: four!.tag, ending: 'success' }),
    seen('s4', {
      merchantId: `m ${rows[17]!.destination}`,
      amount: rows[17]!.amount,
      reference: 'Salary',
      at: noon,
      latest: noon,
    }),
    seen('s5', { merchantId: `m ${rows[19]!.destination}`, amount: 5, reference: 'Salary', at: noon + 1 }),
    seen('s6', { merchantId: `m ${rows[19]!.destination}`, amount: 6, reference: 'Salary', at: noon + 2 }),
  ]);
  ledger.passes.tell('s4', null);
  await readAll('m1');

  draft.clear();
  const again = draft.add(
    rowsOf(2, { ...rowOf(0, 2), number: 50 }, { ...rowOf(3, 2), number: 51, key: 'new', amount: 9 }),
  );
  read.push(again);
  draft.addInvalid({
    number: 60,
    key: 'k9',
    id: 'k9',
    name: 'Neo',
    content: JSON.stringify({ rowId: 'k9', name: 'Neo' }),
  });
  draft.addProblems([
    {
      row: 4,
      column: 'amount',
      code: 'ODD',
      severity: 'warning',
      facts: { said: 'Odd.' },
      value: '1\u0000'.slice(0, 1),
      suggestion: null,
    },
    {
      row: null,
      column: null,
      code: 'WHOLE',
      severity: 'warning',
      facts: { said: 'All.' },
      value: null,
      suggestion: 'do',
    },
    { row: 60, column: 'name', code: 'BAD', severity: 'error', facts: { said: 'Bad' }, value: 'x', suggestion: null },
    {
      row: 60,
      column: 'amount',
      code: 'WORSE',
      severity: 'error',
      facts: { said: 'Worse' },
      value: 'y',
      suggestion: null,
    },
    {
      row: 12,
      column: 'documents',
      code: 'UNNAMED',
      severity: 'error',
      facts: { said: 'No document' },
      value: null,
      suggestion: null,
    },
    {
      row: 7,
      column: 'documents',
      code: 'NAMED',
      severity: 'error',
      facts: { said: 'Not there' },
      value: '5.pdf',
      suggestion: null,
    },
  ]);
  draft.addDocument(9, { name: 'more.pdf', path: '/d/more.pdf', sha256: 'sha0', sizeBytes: 1 });
  draft.keepDocuments({ named: 'NAMED', unnamed: 'UNNAMED' }, null);
  draft.judge([
    {
      row: 8,
      column: null,
      code: 'JUDGED',
      severity: 'error',
      facts: { said: 'Not to be paid' },
      value: null,
      suggestion: null,
    },
    {
      row: 9,
      column: null,
      code: 'JUDGED',
      severity: 'warning',
      facts: { said: 'May be paid' },
      value: null,
      suggestion: null,
    },
  ]);
  await readAll('m1');
  read.push(await readDraft(ledger, 'm2'));
  const second = await take(ledger, 'm2', { series: 'pay', sums: 'sums' });
  await enroll(ledger, 'm2', second.sheet.id);
  await readAll('m2');
  for (const row of (await ledger.rows.list({ batch: 'm2', limit: 100 })).slice(0, 6))
    await move(ledger, row, 'sending', 'accepted');

  // The first batch again, corrected: what was refused or has expired begins anew.
  await take(ledger, 'm1', {});
  const refused = (await ledger.rows.list({ batch: 'm1', states: ['expired', 'refused'], limit: 9 }))[0];
  if (refused !== undefined) {
    await ledger.duplicates.keepCopies(refused, await ledger.duplicates.copiesOf([refused.id]));
    await ledger.versions.retryRows((await ledger.batches.batch('m1'))!, [refused], { by: null, turn: null });
  }
  await readAll('m1');
  await ledger.duplicates.know((await ledger.rows.rowByKey('m1', 'k1'))!, 'seen');
  await ledger.batches.doubtLists();
  await ledger.batches.bind('m2', `${address}|key:2|tenant`, address);
  await ledger.settleIn();
  await readAll('m2');
  read.push(await closed(ledger));
  read.push(await people(ledger), await uploads(ledger), readEvidence(ledger));
  return read;
}

/** A row that a person closes, a sheet that has it again, and its reopening. */
async function closed(ledger: Ledger): Promise<unknown> {
  const { draft } = ledger;
  draft.clear();
  draft.add([rowOf(2, 3), { ...rowOf(1, 3), key: 'left' }]);
  await take(ledger, 'm3', {});
  const row = await ledger.rows.rowByKey('m3', 'left');
  await ledger.rows.closeRows([row!], { by: 'Ann', why: 'Paid by hand' });
  const read = [
    await ledger.rows.counts('m3'),
    await ledger.versions.closedInDraft('m3'),
    await ledger.versions.countsWithDraft('m3', false),
  ];
  expect(read[1]).toMatchObject([{ row: { key: 'left' }, by: 'Ann', why: 'Paid by hand' }]);
  await take(ledger, 'm3', {});
  const opened = await ledger.rows.rowByKey('m3', 'left');
  expect(opened).toMatchObject({ closed: null });
  await ledger.rows.closeRows([opened!], { by: null, why: 'Again' });
  const again = await ledger.rows.rowByKey('m3', 'left');
  await ledger.rows.reopenRows([again!], { by: null, why: 'Owed' });
  return [...read, again, await ledger.rows.counts('m3')];
}

async function people({ people }: Ledger): Promise<unknown> {
  const read: unknown[] = [];
  await people.act((record) => {
    const id = people.add({ name: 'Ann', nameKey: 'ann', role: 'admin' });
    people.makeLink('h', id, 5);
    people.makeLink('i', null, 5);
    people.makeLink('j', null, 6);
    people.beginSession('s', id);
    people.change(id, { password: 'x', active: false });
    people.set('name', 'one');
    people.set('name', 'two');
    read.push(people.takeStep(id, 4), people.takeStep(id, 4), people.addTry('w', '::1', 0));
    record({ by: 'Ann', did: 'began' });
  });
  people.seeSession('s');
  read.push(people.accounts(), people.named('ann'), people.session('s'), people.link('i'), people.link('j'));
  read.push(people.tries(null, '::1', 0), people.tries('w', '::1', 0), people.setting('name'), people.takeLink('j'));
  return read;
}

async function uploads({ uploads, holds }: Ledger): Promise<unknown> {
  const doing = { account: 1, by: 'Ann', did: 'handed in' };
  const facts = { changedAt: 5, plan: { request: { batch: 'dec' } }, found: { counts: { rows: 1 }, ownBatch: null } };
  await uploads.add(
    { id: 'u1', file: 'A%.csv', bytes: 1, sha256: 's', state: 'ready', facts: JSON.stringify(facts) },
    doing,
  );
  await uploads.add({ id: 'u2', file: 'b.csv', bytes: 2, sha256: 's', state: 'new', facts: '{}' }, doing);
  await holds.keepPlan(await holds.propose('dec', { by: 'Ann', file: 'A%.csv', upload: 'u1' }), 'p', null);
  await uploads.change('u1', () => ({ plan: 'p' }), doing);
  await uploads.correct('u1', { row: 3, column: 1, was: 'a', becomes: 'b' }, () => null, doing);
  const runs = [[3, 5] as const];
  await uploads.correct('u1', { row: runs, column: 1, was: 'b', becomes: 'c' }, () => null, doing);
  await uploads.choose('h', '[1]', 'u1', () => ({ header: 'h' }), doing);
  await uploads.choose('h', '[2]', 'u1', () => null, doing);
  const job = await uploads.beginJob({ kind: 'plan', upload: 'u1', batch: null }, doing);
  await uploads.changeJob(job, { state: 'done', batch: 'dec' });
  await uploads.beginJob({ kind: 'pay', upload: 'u1', batch: 'dec' }, doing);
  return [
    uploads.list(['new', 'other']),
    uploads.briefs('a%', 9),
    uploads.find('u1'),
    uploads.ofBatch('dec'),
    uploads.alike('u2', 's'),
    [...uploads.takenNames('u2')].sort(),
    uploads.corrections('u1'),
    uploads.preparers('u1'),
    uploads.choice('h'),
    uploads.jobOf({ upload: 'u1' }),
    uploads.jobOf({ batch: 'dec' }),
    await uploads.endJobs('over'),
    await uploads.undo('u1', uploads.corrections('u1')[0]!.id, () => null, doing),
    uploads.corrections('u1'),
  ];
}

/** With the sums that no JSON holds; without the ids of documents, of which Postgres leaves some out, and the hashes over them. */
const plain = (read: unknown): unknown =>
  JSON.parse(
    JSON.stringify(read, (name, value: unknown) => {
      if (typeof value === 'bigint') return `${value}n`;
      if (name === 'hash' || name === 'imported') return undefined;
      // An entry: each ledger has another home.
      if (name === 'text') return String(value).replace(/"imported":"\w+"|"home",.*/, '');
      return typeof value === 'object' && value !== null && 'sha256' in value ? { ...value, id: null } : value;
    }),
  );

it('a ledger on Postgres tells what one on SQLite tells', async () => {
  const told: unknown[][] = [];
  for (const store of stores) {
    const ledger = openLedger(await newPlace(store), steppingClock());
    try {
      told.push(plain(await story(ledger)) as unknown[]);
    } finally {
      await ledger.close();
    }
  }
  const [sqlite, postgres] = told;
  expect(postgres!.length).toBe(sqlite!.length);
  for (const [step, read] of postgres!.entries()) expect([step, read]).toEqual([step, sqlite![step]]);
});
