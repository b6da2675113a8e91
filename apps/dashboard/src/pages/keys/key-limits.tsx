import { keys as texts } from '#texts/keys';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { LimitBar } from '../../components/limit-bar';
import { TextLink } from '../../components/link';
import { isZero } from '../../format/amount';
import { shortInstant } from '../../format/instant';
import { boundBy, doesBalanceBind, type Key, restOf } from './key-state';

const { detail } = texts;

export function KeyLimits({ apiKey }: { readonly apiKey: Key }) {
  const available = useRoute('account', {}).data?.balance.available.svc_tokens;
  const { spending_limit: limit, reserved, spending_resets_at: resets } = apiKey;
  const notes = [
    ...(reserved === null || isZero(reserved.svc_tokens) ? [] : [detail.reserved(reserved.svc_tokens)]),
    ...(resets === null ? [] : [detail.resets(shortInstant(resets))]),
  ];
  const rest = restOf(apiKey);
  return (
    <Card title={detail.limits}>
      {limit === null
        ? <p className="muted">{detail.noLimit}</p>
        : <LimitBar label={detail.ownLimit[limit.period]} used={boundBy(apiKey)} limit={limit.svc_tokens} note={notes.join(' · ')} />}
      {rest !== null && <p>{texts.restTooSmall(rest)}</p>}
      {available !== undefined && (
        <p className="muted in-text">
          {doesBalanceBind(apiKey, available) ? texts.balanceBinds(available) : detail.balance(available)}{' '}
          <TextLink to="/account" search={{ tab: 'plan' }}>{detail.accountLimits}</TextLink>
        </p>
      )}
    </Card>
  );
}
