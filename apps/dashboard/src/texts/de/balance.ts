import { tokenWord } from '../../brand/token-word';
import { dollars, exactAmount } from '../../format/amount';
import type { Translated } from '../../locale/translated';
import type * as english from '../en/balance';

export const balance: Translated<typeof english.balance> = {
  refused: 'Ihre Anfragen werden mangels Guthaben abgelehnt.',
  soon: (days) => (days === 0 ? 'Ihre Anfragen werden noch heute mangels Guthaben abgelehnt.' : `Ihre Anfragen werden in etwa ${days === 1 ? 'einem Tag' : `${days} Tagen`} mangels Guthaben abgelehnt.`),
  why: ({ model, needs, available }) =>
    `Verfügbar: ${dollars(available.usd)} (${exactAmount(available.svc_tokens)} ${tokenWord}). Eine übliche Anfrage mit ${model} braucht mindestens ${dollars(needs.usd)} (${exactAmount(needs.svc_tokens)}).`,
  addCredit: 'Guthaben aufladen',
};
