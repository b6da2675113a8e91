import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { AccountId, ApiKeyId, ModelSlug, NamedStatement, RequestId, UtcDay, UtcMonth } from '@tollgate/core';
import { readPdf as read } from '@tollgate/testkit/pdf-reader';
import { renderDocument } from './render-document.js';
import { statementPages } from './statement-pages.js';
import { MAX_WAITING_PDFS, RENDERING_TIMEOUT_MILLISECONDS, StatementPdf } from './statement-pdf.js';

const DAYS = Array.from({ length: 31 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}` as UtcDay);

const STATEMENT: NamedStatement = {
  object: 'statement', version: 1, number: 17, account_id: 'acct_1' as AccountId, month: '2026-03' as UtcMonth, made_at: '2026-04-01T01:00:00.000Z',
  issuer: { name: 'Überländer GmbH', address: 'Straße 1\n12345 Köln', tax_number: 'DE 123456789' }, opening_balance: '0.000001', closing_balance: '999999999999.123456',
  totals: [{ kind: 'charge', entries: 62, svc_tokens: '-18.5' }, { kind: 'signup-credit', entries: 1, svc_tokens: '100' }],
  charges: DAYS.flatMap((day, index) => [
    { day, model: 'small' as ModelSlug, key_id: 'key_1' as ApiKeyId, entries: 1, svc_tokens: `-0.${100 + index}` },
    { day, model: null, key_id: null, entries: 2, svc_tokens: `-0.${500 + index}` },
  ]),
  entries: [
    { entry: '7', day: DAYS[1] ?? '2026-03-02' as UtcDay, kind: 'top-up', svc_tokens: '100', request_id: null },
    { entry: '8', day: DAYS[2] ?? '2026-03-03' as UtcDay, kind: 'refund', svc_tokens: '3', request_id: 'req_12345' as RequestId },
  ],
  entries_not_listed: 5,
  names: { account: { name: 'Ελένη Жанна Ünal', email: 'alice@example.test' }, keys: { key_1: 'Прод' }, references: { 7: 'invoice 7' } },
};

function print(differences: Partial<NamedStatement> = {}): Promise<Uint8Array> {
  return new StatementPdf(new ManualClock()).print({ ...STATEMENT, ...differences });
}

/** All values of a statement that are printed. */
function valuesOf({ issuer, opening_balance: opening, closing_balance: closing, totals, charges, entries, names, ...head }: NamedStatement): readonly string[] {
  return [
    String(head.number), head.account_id, head.month, head.made_at, issuer.name ?? '', ...(issuer.address ?? '').split('\n'), issuer.tax_number ?? '', opening, closing,
    ...totals.flatMap(({ entries: count, svc_tokens: amount }) => [String(count), amount]),
    ...charges.flatMap((line) => [line.day, line.model ?? 'Further models and keys', line.key_id ?? '', String(line.entries), line.svc_tokens]),
    ...entries.flatMap((entry) => [entry.day, entry.svc_tokens, entry.request_id ?? '']),
    names?.account.name ?? '', names?.account.email ?? '', ...Object.values(names?.keys ?? {}), ...Object.values(names?.references ?? {}),
  ];
}

describe('a statement as PDF', () => {
  it('has every figure and text of the statement, over several pages, and says that it is no tax invoice', async () => {
    const { pages } = await read(await print());
    const text = pages.join(' ');
    expect(pages.length).toBeGreaterThan(1);
    expect(valuesOf(STATEMENT).filter((value) => !text.includes(value))).toEqual([]);
    expect(text).toContain('This is not a tax invoice.');
    expect(text).toContain('5 further entries are in the summary only.');
    expect(text).toContain('Signup credit');
    expect(pages.map((page) => /Page \d+ of \d+/.exec(page)?.[0])).toEqual(pages.map((_, index) => `Page ${index + 1} of ${pages.length}`));
  });

  it('names the service tokens with the operator’s own word', async () => {
    const { pages } = await read(await new StatementPdf(new ManualClock(), 'credits').print(STATEMENT));
    expect(pages[0]).toContain('in credits (service tokens).');
    expect(pages.join(' ').match(/Credits(?=\s)/g)?.length).toBeGreaterThan(2);
    expect(pages.join(' ')).not.toContain('Service tokens');
  });

  it('keeps each heading on one page with the beginning of its table', async () => {
    const [entry] = STATEMENT.entries;
    if (entry === undefined) throw new Error('the statement has entries');
    const parts: string[] = [];
    for (let count = 18; count <= 22; count += 1) {
      const entries = Array.from({ length: count }, (_, index) => ({ ...entry, entry: String(index), day: DAYS[0] ?? entry.day }));
      const { pages } = await read(await renderDocument(statementPages({ ...STATEMENT, entries, charges: STATEMENT.charges.slice(0, 2) })));
      const page = pages.find((text) => text.includes('Charges by day')) ?? '';
      parts.push(/Charges by day, model and key Day Model Key Charges Service tokens 2026-03-01/.exec(page) === null ? `with ${count} entries` : 'kept');
    }
    expect(parts).toEqual(Array(5).fill('kept'));
  });

  it('is tagged for screen readers, and names language, title and author', async () => {
    const { tags, info } = await read(await print());
    expect(new Set(tags)).toEqual(new Set(['Root', 'Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'TD.']));
    expect(tags.filter((tag) => tag === 'TD.')).toHaveLength(3 * (2 + STATEMENT.totals.length) + 4 * STATEMENT.entries.length + 5 * STATEMENT.charges.length);
    expect(info).toMatchObject({ Title: 'Statement 17, 2026-03', Author: 'Überländer GmbH', Language: 'en' });
  });

  it('shows characters that its fonts lack as code points, and omits none', async () => {
    const name = 'a\u4E2Db \u202Eevil \u{1F642} \u0645';
    const { pages } = await read(await print({ names: { account: { name, email: 'a@example.test' }, keys: {}, references: { 7: '\u0000' } } }));
    const text = pages.join(' ');
    for (const shown of ['a[U+4E2D]b', '[U+202E]evil', '[U+1F642]', '[U+0645]', '[U+0000]']) expect(text).toContain(shown);
  });

  it('names no person after the account was erased', async () => {
    const { pages } = await read(await print({ names: null }));
    expect(pages.join(' ')).not.toMatch(/alice|invoice 7|Прод|Ελένη/);
    expect(pages.join(' ')).toContain('acct_1');
  });

  it('is rendered to the same bytes each time', async () => {
    const [first, second] = await Promise.all([print(), print()]);
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  });

  it('is refused while too many statements are waiting', async () => {
    const clock = new ManualClock();
    const pdf = new StatementPdf(clock);
    const small = { ...STATEMENT, charges: [], entries: [] };
    const settled = new Set<number>();
    const prints = Array.from({ length: MAX_WAITING_PDFS }, (_, index) => pdf.print(small).catch(() => undefined).finally(() => settled.add(index)));
    await expect(pdf.print(small)).rejects.toMatchObject({ code: 'server_busy', message: 'Too many statements are being rendered. Please try again.' });
    while (settled.size < MAX_WAITING_PDFS) await clock.advanceAsync(RENDERING_TIMEOUT_MILLISECONDS);
    await Promise.all(prints);
    expect((await read(await pdf.print(small))).pages).toHaveLength(1);
  });

  it('is refused if rendering takes too long; the next statement is rendered in a new thread', async () => {
    const clock = new ManualClock();
    const pdf = new StatementPdf(clock);
    const small = { ...STATEMENT, charges: [], entries: [] };
    const [slow, next] = [pdf.print(STATEMENT), pdf.print(small)];
    const refused = slow.then(() => null, (error: unknown) => error);
    await clock.advanceAsync(RENDERING_TIMEOUT_MILLISECONDS);
    expect(await refused).toMatchObject({ code: 'server_busy', details: { retryAfterSeconds: 5 } });
    expect((await read(await next)).pages).toHaveLength(1);
    expect(clock.pendingTasks).toBe(0);
  });
});
