import { tokenWord } from '../../brand/token-word';
import { dollars, exactAmount } from '../../format/amount';

interface BothCurrencies {
  readonly svc_tokens: string;
  readonly usd: string;
}

interface UsualRequest {
  readonly model: string;
  readonly needs: BothCurrencies;
  readonly available: BothCurrencies;
}

/** The note of a balance that cannot pay for requests. */
export const balance = {
  refused: 'Your requests are refused for lack of credit.',
  soon: (days: number) => (days === 0 ? 'Your requests will be refused today for lack of credit.' : `Your requests will be refused in about ${days === 1 ? '1 day' : `${days} days`} for lack of credit.`),
  why: ({ model, needs, available }: UsualRequest) =>
    `Available: ${dollars(available.usd)} (${exactAmount(available.svc_tokens)} ${tokenWord}). A usual request needs at least ${dollars(needs.usd)} (${exactAmount(needs.svc_tokens)}), with ${model}.`,
  addCredit: 'Add credit',
} as const;
