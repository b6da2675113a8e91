import { activity as acts } from '#texts/activity';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { Amount } from '../../components/amount';
import { Card } from '../../components/card';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import { actionText } from '../../format/action';
import { ActivitySubject } from '../activity/activity-subject';
import { keySubjects } from '../activity/key-subjects';
import { useKeyNames } from '../usage/names';
import type { Scope } from '../usage/usage-search';
import classes from './overview.module.css';

interface ChangesCardProps {
  readonly entries: Reply<'overview'>['activity'];
  /** Whose keys are named: the reader's own, or, for operators, those of all accounts. */
  readonly scope?: Scope;
}

export function ChangesCard({ entries, scope = 'own' }: ChangesCardProps) {
  const keyName = useKeyNames(keySubjects(entries), scope);
  return (
    <Card title={texts.changed}>
      <ul className={classes['changes']}>
        {entries.map(({ id, at, action, subject, by, via, booking }) => (
          <li key={id}>
            <span className="muted"><Instant at={at} relative /></span>
            <span className="in-text">{actionText(action, acts.actions)} <ActivitySubject id={subject} keyName={keyName} /> {booking !== null && <><Amount value={booking.svc_tokens} /> </>}<span className="muted">· {acts.by[by]}{via !== null && <>, <span title={via}>{acts.via}</span></>}</span></span>
          </li>
        ))}
      </ul>
      <p className="in-text"><TextLink to="/activity">{texts.allChanges}</TextLink></p>
    </Card>
  );
}
