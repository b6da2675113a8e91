import type { NamedStatement, StatementKind } from '@tollgate/core';
import type { PrintedBlock, PrintedColumn, PrintedDocument } from './printed-document.js';

/** The word for service tokens unless the operator has another one. */
const OWN_WORD = 'service tokens';

function amountColumn(tokensWord: string): PrintedColumn {
  return { title: capitalized(tokensWord), share: 0.24, align: 'right' };
}

/** Also names service tokens, because files and APIs use that name in every installation. */
function notAnInvoice(tokensWord: string): string {
  return `This is not a tax invoice. It states what was booked in the month, in ${tokensWord === OWN_WORD ? OWN_WORD : `${tokensWord} (${OWN_WORD})`}.`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function words(kind: StatementKind): string {
  return capitalized(kind).replaceAll('-', ' ');
}

function lines(...texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null && text !== '').join('\n');
}

/** Tax number and address are printed only if they are set. */
function issuerOf({ issuer: { name, address, tax_number: taxNumber } }: NamedStatement): readonly PrintedBlock[] {
  const text = lines(name, address, taxNumber === null ? null : `Tax number: ${taxNumber}`);
  return text === '' ? [] : [{ kind: 'paragraph', text: `Issued by\n${text}` }];
}

function accountOf({ account_id: id, names }: NamedStatement): PrintedBlock {
  return { kind: 'paragraph', text: lines('Account', names?.account.name ?? null, names?.account.email ?? null, id) };
}

function summaryOf({ opening_balance: opening, closing_balance: closing, totals }: NamedStatement, amounts: PrintedColumn): readonly PrintedBlock[] {
  return [
    { kind: 'heading', text: 'Summary' },
    {
      kind: 'table',
      columns: [{ title: 'Kind', share: 0.5, align: 'left' }, { title: 'Entries', share: 0.26, align: 'right' }, amounts],
      rows: [['Opening balance', '', opening], ...totals.map(({ kind, entries, svc_tokens: amount }) => [words(kind), String(entries), amount]), ['Closing balance', '', closing]],
    },
  ];
}

function entriesOf({ entries, entries_not_listed: unlisted, names }: NamedStatement, amounts: PrintedColumn): readonly PrintedBlock[] {
  if (entries.length === 0) return [];
  const rows = entries.map(({ day, kind, entry, request_id: request, svc_tokens: amount }) => [day, words(kind), lines(names?.references[entry] ?? null, request) || `Entry ${entry}`, amount]);
  const note: readonly PrintedBlock[] = unlisted === 0 ? [] : [{ kind: 'note', text: `${unlisted} further entries are in the summary only.` }];
  return [
    { kind: 'heading', text: 'Credits, refunds and corrections' },
    { kind: 'table', columns: [{ title: 'Day', share: 0.14, align: 'left' }, { title: 'Kind', share: 0.2, align: 'left' }, { title: 'Reference', share: 0.42, align: 'left' }, amounts], rows },
    ...note,
  ];
}

function keyText(id: string | null, names: NamedStatement['names']): string {
  return id === null ? 'Further models and keys' : lines(names?.keys[id] ?? null, id);
}

function chargesOf({ charges, names }: NamedStatement, amounts: PrintedColumn): readonly PrintedBlock[] {
  if (charges.length === 0) return [];
  const rows = charges.map(({ day, model, key_id: key, entries, svc_tokens: amount }) => [day, model ?? '', keyText(key, names), String(entries), amount]);
  return [
    { kind: 'heading', text: 'Charges by day, model and key' },
    {
      kind: 'table',
      columns: [
        { title: 'Day', share: 0.14, align: 'left' }, { title: 'Model', share: 0.21, align: 'left' }, { title: 'Key', share: 0.29, align: 'left' },
        { title: 'Charges', share: 0.12, align: 'right' }, amounts,
      ],
      rows,
    },
  ];
}

/** All figures of a statement, as texts to be drawn. */
export function statementPages(statement: NamedStatement, tokensWord = OWN_WORD): PrintedDocument {
  const amounts = amountColumn(tokensWord);
  const { number, month, issuer, made_at: madeAt } = statement;
  return {
    title: `Statement ${number}, ${month}`,
    author: issuer.name,
    createdAt: Date.parse(madeAt),
    footer: `Statement ${number} · ${statement.account_id} · ${month}`,
    blocks: [
      { kind: 'title', text: `Statement ${number}` },
      { kind: 'paragraph', text: `Month: ${month} (UTC)\nMade: ${madeAt}` },
      ...issuerOf(statement),
      accountOf(statement),
      { kind: 'note', text: notAnInvoice(tokensWord) },
      ...summaryOf(statement, amounts),
      ...entriesOf(statement, amounts),
      ...chargesOf(statement, amounts),
    ],
  };
}
