import { shell } from '#texts/shell';
import { BalanceNote } from '../components/balance-note';
import { Instant } from '../components/instant';
import { Note } from '../components/note';
import { StandingNote } from '../components/standing-note';
import { useWatchedMe, type Me } from '../session/person';
import { useRoom } from './use-room';
import classes from './banner.module.css';

type Announcement = NonNullable<Me['banner']>;

function Period({ from, until, state }: Pick<Announcement, 'from' | 'until' | 'state'>) {
  if (state === 'planned') return <>{shell.planned} <Instant at={from} />{until === null ? null : <>–<Instant at={until} /></>}. </>;
  return until === null ? null : <>{shell.until} <Instant at={until} />. </>;
}

/** The notice as owners see it; operators preview it. */
export function ServiceNotice({ announcement }: { readonly announcement: Announcement }) {
  return <Note kind="warning"><Period {...announcement} />{announcement.text}</Note>;
}

/**
 * Shows restrictions of the service and of the person's account. The operators' room omits the note on the person's balance, because that room is
 * about other accounts.
 */
export function Banner() {
  const { banner } = useWatchedMe();
  const room = useRoom();
  return (
    <output className={classes['banner']}>
      {banner !== null && <ServiceNotice announcement={banner} />}
      <StandingNote />
      {room === 'owner' && <BalanceNote />}
    </output>
  );
}
