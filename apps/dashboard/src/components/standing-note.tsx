import { accountStanding as words } from '#texts/account-standing';
import { longDate } from '../format/instant';
import { useMe } from '../session/person';
import { ButtonLink } from './link';
import { Note } from './note';

export function StandingNote() {
  const { account: { standing, standing_reason: reason, deletion_due_at: dueAt } } = useMe();
  if (standing === 'suspended') return <Note kind="bad">{words.suspended(reason)}</Note>;
  if (dueAt === null) return null;
  const toDeletion = <ButtonLink to="/account" search={{ tab: 'deletion' }} size="xs" variant="default">{words.toDeletion}</ButtonLink>;
  return <Note kind="warning" action={toDeletion}>{words.scheduled(longDate(dueAt))}</Note>;
}
