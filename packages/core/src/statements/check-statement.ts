import { ServiceTokens } from '../money/service-tokens.js';
import { CHARGE_KINDS, type StatementFigures, type StatementKind, type Written } from './statement-document.js';

type Figures = Written<StatementFigures>;

interface Line {
  readonly svc_tokens: string;
}

function signed(text: string): ServiceTokens {
  return text.startsWith('-') ? ServiceTokens.ZERO.minus(ServiceTokens.parse(text.slice(1))) : ServiceTokens.parse(text);
}

function sumOf(lines: readonly Line[]): ServiceTokens {
  return lines.reduce((sum, { svc_tokens: amount }) => sum.plus(signed(amount)), ServiceTokens.ZERO);
}

function countOf(lines: readonly { readonly entries: number }[]): number {
  return lines.reduce((sum, { entries }) => sum + entries, 0);
}

function isCharge(kind: StatementKind): boolean {
  return CHARGE_KINDS.some((charge) => charge === kind);
}

function chargeFaults({ totals, charges }: Figures): readonly (string | false)[] {
  const charged = totals.filter(({ kind }) => isCharge(kind));
  return [
    !sumOf(charges).equals(sumOf(charged)) && 'its charges by day, model and key do not add up to their total',
    countOf(charges) !== countOf(charged) && 'its charges by day, model and key are not as many as their total says',
  ];
}

function entryFaults({ totals, entries, entries_not_listed: unlisted }: Figures): readonly (string | false)[] {
  const booked = totals.filter(({ kind }) => !isCharge(kind));
  const kinds = unlisted > 0 ? [] : booked.filter(({ kind, svc_tokens: amount }) => !sumOf(entries.filter((entry) => entry.kind === kind)).equals(signed(amount)));
  return [
    entries.length + unlisted !== countOf(booked) && 'its entries are not as many as their totals say',
    ...kinds.map(({ kind }) => `its entries of kind ${kind} do not add up to their total`),
  ];
}

/** Faults in plain words; empty if the statement adds up. `previousClosing`: closing balance of the account's previous statement, or 0. */
export function faultsOfStatement(figures: Figures, previousClosing: string): readonly string[] {
  const { opening_balance: opening, closing_balance: closing, totals } = figures;
  return [
    opening !== previousClosing && `it opens with ${opening}, the one before closed with ${previousClosing}`,
    !signed(opening).plus(sumOf(totals)).equals(signed(closing)) && 'its opening balance and totals do not add up to its closing balance',
    signed(closing).isNegative() && 'its closing balance is negative',
    ...chargeFaults(figures),
    ...entryFaults(figures),
  ].filter((fault) => fault !== false);
}
