import { lazy, type ReactNode, Suspense } from 'react';
import { shell } from '#texts/shell';
import { TextLink } from '../components/link';
import { useMe } from '../session/person';
import classes from './navigation.module.css';
import { PageLinks } from './page-links';
import { OWN_GROUPS } from './pages';
import { type Room, useRoom } from './use-room';

const OperatorLinks = lazy(() => import('./operator-links'));

interface NavigationProps {
  /** Shown above the links to the pages. */
  readonly head?: ReactNode;
  /** Called when a page is chosen, for example to close a drawer. */
  readonly onChosen?: () => void;
}

function Rooms({ room, onChosen }: { readonly room: Room; readonly onChosen: (() => void) | undefined }) {
  return (
    <nav className={classes['rooms']} aria-label={shell.rooms}>
      <TextLink to="/overview" underline="never" className={classes['room']} aria-current={room === 'owner' ? 'true' : undefined} onClick={onChosen}>{shell.ownAccount}</TextLink>
      <TextLink to="/operator/overview" underline="never" className={classes['room']} aria-current={room === 'operator' ? 'true' : undefined} onClick={onChosen}>{shell.operator}</TextLink>
    </nav>
  );
}

/** The pages of the room. Below them, operators switch to the other room. */
export function Navigation({ head, onChosen }: NavigationProps) {
  const { person } = useMe();
  const room = useRoom();
  return (
    <div className={classes['rail']} data-rail>
      {head}
      <nav aria-label={room === 'owner' ? shell.main : shell.operator} className={classes['pages']}>
        {room === 'owner' ? <PageLinks groups={OWN_GROUPS} onChosen={onChosen} /> : <Suspense><OperatorLinks onChosen={onChosen} /></Suspense>}
      </nav>
      {person.role === 'operator' && <Rooms room={room} onChosen={onChosen} />}
    </div>
  );
}
