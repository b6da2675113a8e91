import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { Card } from '../../components/card';
import { exactCount } from '../../format/count';
import { shortInstant } from '../../format/instant';
import classes from './overview.module.css';

/** Not linked to records: refused requests have none. */
export function RefusalsCard({ refusals: { since, counts } }: { readonly refusals: Reply<'overview'>['refusals'] }) {
  if (counts.length === 0) return null;
  return (
    <Card title={texts.refused}>
      <dl className={classes['refusals']}>
        {counts.map(({ code, count }) => <div key={code}><dt className="mono">{code}</dt><dd className="num">{exactCount(count)}</dd></div>)}
      </dl>
      <p className="muted">{texts.refusedSince(shortInstant(since))}</p>
    </Card>
  );
}
