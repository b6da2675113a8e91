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
import classes from './overview.module.css';

export function ChangesCard({ entries }: { readonly entries: Reply<'overview'>['activity'] }) {
  const keyName = useKeyNames(keySubjects(entries));
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
