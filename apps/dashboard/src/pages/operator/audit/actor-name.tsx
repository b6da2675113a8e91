import { audit } from '#texts/audit';
import { TextLink } from '../../../components/link';
import { shortId } from '../../../format/id';
import { useMe } from '../../../session/person';

export interface KnownPerson {
  readonly id: string;
  readonly email: string;
}

interface ActorNameProps {
  /** A person's id, or the name from the command line. */
  readonly id: string;
  readonly owner?: KnownPerson | null | undefined;
}

/** Unknown people link to their account. */
export function ActorName({ id, owner = null }: ActorNameProps) {
  const { person } = useMe();
  if (id === 'system') return <>{audit.gateway}</>;
  if (id === person.id) return <span title={id}>{person.email}</span>;
  if (id === owner?.id) return <span title={id}>{owner.email}</span>;
  if (!id.startsWith('person_')) return <span title={id}>{id}</span>;
  return <TextLink to="/operator/accounts" search={{ q: id }} className="mono" title={id}>{shortId(id)}</TextLink>;
}
