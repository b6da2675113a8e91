import { activity as acts } from '#texts/activity';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { Card } from '../../components/card';
import { Instant } from '../../components/instant';
import { TextLink } from '../../components/link';
import { actionText } from '../../format/action';
import { ActivitySubject, type KeyNames } from '../activity/activity-subject';
import classes from './overview.module.css';

/** Loading the names would cost another request. */
const UNNAMED: KeyNames = new Map();

export function ChangesCard({ entries }: { readonly entries: Reply<'overview'>['activity'] }) {
  return (
    <Card title={texts.changed}>
      <ul className={classes['changes']}>
        {entries.map(({ id, at, action, subject, by, via }) => (
          <li key={id}>
            <span className="muted"><Instant at={at} relative /></span>
            <span className="in-text">{actionText(action, acts.actions)} <ActivitySubject id={subject} names={UNNAMED} /> <span className="muted">· {acts.by[by]}{via !== null && <>, <span title={via}>{acts.via}</span></>}</span></span>
          </li>
        ))}
      </ul>
      <p className="in-text"><TextLink to="/activity">{texts.allChanges}</TextLink></p>
    </Card>
  );
}
