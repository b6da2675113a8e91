import { Badge } from '@mantine/core';
import { common } from '#texts/common';
import { keys as texts } from '#texts/keys';
import { Amount } from '../../components/amount';
import { Instant } from '../../components/instant';
import { Status } from '../../components/status';
import { useModelNames } from '../models/model-names';
import { daysLeft, doesBalanceBind, type Key, restOf, stateOf } from './key-state';

export function KeyStatus({ apiKey }: { readonly apiKey: Key }) {
  const state = stateOf(apiKey);
  if (state === 'limit-reached') return <Badge color="yellow">{texts.limitReached}</Badge>;
  if (state === 'expires-soon') return <Badge color="yellow">{texts.expiresIn(daysLeft(apiKey) ?? 0)}</Badge>;
  return <Status value={state} />;
}

/** `available`: the account's available service tokens, `undefined` until they are read. */
export function KeySpent({ apiKey, available }: { readonly apiKey: Key; readonly available: string | undefined }) {
  const { spending_limit: limit, spent, status } = apiKey;
  if (status !== 'active') return <>{common.none}</>;
  if (limit === null || spent === null) return <span className="muted">{texts.accountOnly}</span>;
  const rest = restOf(apiKey);
  return (
    <>
      <Amount value={spent.svc_tokens} /> {texts.of} <Amount value={limit.svc_tokens} /> {texts.periods[limit.period]}
      {rest !== null && <div className="muted">{texts.restTooSmall(rest)}</div>}
      {available !== undefined && doesBalanceBind(apiKey, available) && <div className="muted">{texts.balanceBinds(available)}</div>}
    </>
  );
}

export function KeyModels({ models }: Pick<Key, 'models'>) {
  const modelName = useModelNames();
  if (models === null) return <>{texts.all}</>;
  const [only] = models;
  return <span title={models.map((id) => modelName(id)).join(', ')}>{models.length === 1 && only !== undefined ? modelName(only) : texts.models(models.length)}</span>;
}

export function LastUsed({ at }: { readonly at: string | null }) {
  return at === null ? <>{texts.never}</> : <Instant at={at} relative />;
}
