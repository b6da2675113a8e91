import { notifications } from '@mantine/notifications';
import { entry } from '#texts/entry';
import type { Reply } from '../../api/call';
import { useEnter } from '../../session/use-enter';
import type { LinkOutcome } from './token-page';

const FIRST_PAGE = '/overview';

/** Continues after a link: into the dashboard, or to sign-in if no session began. `done` describes the link's effect. */
export function useArrive(): (signIn: Reply<'signIn'> | null, done: string | null, to?: string) => LinkOutcome | undefined {
  const enter = useEnter();
  return (signIn, done, to = FIRST_PAGE) => {
    if (signIn === null) return { kind: 'good', text: [done, entry.token.signInToGoOn].filter(Boolean).join(' ') };
    if (done !== null) notifications.show({ message: done });
    enter(signIn.reach, to);
    return undefined;
  };
}
