import { notifications } from '@mantine/notifications';
import { entry } from '#texts/entry';
import type { Reply } from '../../api/call';
import { useEnter } from '../../session/use-enter';
import type { LinkOutcome } from './token-page';

const FIRST_PAGE = '/overview';

/** Goes on after a link was used: into the dashboard, or, where no session could begin, to sign-in. `done` says what the link did. */
export function useArrive(): (signIn: Reply<'signIn'> | null, done: string | null) => LinkOutcome | undefined {
  const enter = useEnter();
  return (signIn, done) => {
    if (signIn === null) return { kind: 'good', text: [done, entry.token.signInToGoOn].filter(Boolean).join(' ') };
    if (done !== null) notifications.show({ message: done });
    enter(signIn.reach, FIRST_PAGE);
    return undefined;
  };
}
