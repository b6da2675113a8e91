import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { Card } from '../../components/card';
import { LimitBar } from '../../components/limit-bar';
import { TextLink } from '../../components/link';
import { useModelNames } from '../models/model-names';
import classes from './overview.module.css';
import { limitsInUse, uncapped } from './limits-in-use';

/** Limits in use, the fullest first. */
export function LimitsCard({ account }: { readonly account: Reply<'overview'>['account'] }) {
  const modelName = useModelNames();
  const noCap = uncapped(account.limits);
  return (
    <Card title={texts.limits(account.plan.name)}>
      {limitsInUse(account).map(({ label, used, limit, resetsIn }) => (
        <LimitBar key={label} label={label} used={used} limit={limit} {...(resetsIn === null ? {} : { note: texts.resets(resetsIn) })} />
      ))}
      {account.limits.models.map(({ model }) => <p key={model} className={classes['warning']}>{texts.incident(modelName(model))}</p>)}
      <p className="muted in-text">{noCap} <TextLink to="/account" search={{ tab: 'plan' }}>{texts.seeLimits}</TextLink></p>
    </Card>
  );
}
