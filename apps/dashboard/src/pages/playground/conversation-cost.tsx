import { playground as texts } from '#texts/playground';
import { Amount } from '../../components/amount';
import type { Turn } from './conversation';
import { chargeOf } from './conversation-charge';
import classes from './playground.module.css';

/** The sum of a conversation with more than one reply. */
export function ConversationCost({ lanes }: { readonly lanes: readonly { readonly turns: readonly Turn[] }[] }) {
  const { charged, usd, replies, unknown } = chargeOf(lanes.flatMap(({ turns }) => turns));
  if (replies < 2) return null;
  return <p className={classes['small']}>{texts.conversationCost(replies)} <Amount value={charged} usd={usd} full alone />{unknown > 0 && <> {texts.withoutStopped(unknown)}</>}</p>;
}
