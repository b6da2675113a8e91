import { Button } from '@mantine/core';
import { standing, tabs } from '#texts/operator-accounts';
import { useRoute } from '../../../../api/use-route';
import { EmptyState } from '../../../../components/empty-state';
import { Instant } from '../../../../components/instant';
import { Part } from '../../../../components/part';
import { browserOf } from '../../../../format/user-agent';
import type { OpenAct } from '../acts/open-act';
import type { AccountDetail } from '../acts/account-data';
import classes from './tabs.module.css';

interface SessionsTabProps {
  readonly account: AccountDetail;
  readonly onAct: (act: OpenAct) => void;
}

const LIST_HEIGHT = 160;

function SessionsOf({ personId, onAct }: Pick<SessionsTabProps, 'onAct'> & { readonly personId: string }) {
  const sessions = useRoute('listSessionsOfPerson', { params: { id: personId } });
  return (
    <Part query={sessions} height={LIST_HEIGHT}>
      {({ data }) => (data.length === 0 ? <EmptyState title={tabs.noSessions} /> : (
        <>
          <ul className={classes['list']} aria-label={tabs.session}>
            {data.map((session) => (
              <li key={session.id} className={classes['item']}>
                <span title={session.user_agent ?? undefined}>{browserOf(session.user_agent) ?? session.user_agent ?? tabs.unknownAgent}{session.is_current && <strong> · {tabs.thisBrowser}</strong>}</span>
                <span className="mono">{session.address}</span>
                <span className="muted" title={session.via ?? undefined}>{tabs.signedIn} {tabs.signedInBy[session.signed_in_by] ?? ''}, <Instant at={session.created_at} /></span>
                <span className="muted">{tabs.lastUsed} <Instant at={session.last_used_at} relative /></span>
              </li>
            ))}
          </ul>
          <div><Button variant="outline" color="red" onClick={() => onAct({ name: 'endSessions' })}>{standing.endSessions}</Button></div>
        </>
      ))}
    </Part>
  );
}

export function SessionsTab({ account: { person }, onAct }: SessionsTabProps) {
  if (person === null) return <EmptyState title={tabs.noPerson} help={tabs.noPersonHelp} />;
  return <SessionsOf personId={person.id} onAct={onAct} />;
}
