import { audit } from '#texts/audit';
import { TextLink } from '../../../components/link';
import { useHolder } from '../../../components/holder-names';
import { shortId } from '../../../format/id';
import { useMe } from '../../../session/person';
import { machineIdIn, useMachineName } from './machine-name';

export interface KnownPerson {
  readonly id: string;
  readonly email: string;
}

interface ActorNameProps {
  /** Id of a person or machine, or the name from the command line. */
  readonly id: string;
  readonly owner?: KnownPerson | null | undefined;
}

function MachineName({ id }: { readonly id: string }) {
  const name = useMachineName(id);
  return <TextLink to="/operator/machines" className={name === null ? 'mono' : ''} title={id}>{name ?? shortId(machineIdIn(id) ?? id)}</TextLink>;
}

/**
 * The reader and the account's owner are shown by their e-mail addresses. Machines and other people are links; of deleted people only the id is
 * known.
 */
export function ActorName({ id, owner = null }: ActorNameProps) {
  const { person } = useMe();
  const isKnown = id === person.id || id === owner?.id || !id.startsWith('person_');
  const holder = useHolder(id, !isKnown);
  if (id === 'system') return <>{audit.gateway}</>;
  if (id === person.id) return <span title={id}>{person.email}</span>;
  if (id === owner?.id) return <span title={id}>{owner.email}</span>;
  if (machineIdIn(id) !== null) return <MachineName id={id} />;
  if (!id.startsWith('person_')) return <span title={id}>{id}</span>;
  return <TextLink to="/operator/accounts" search={{ q: id }} className={holder === null ? 'mono' : ''} title={id}>{holder?.email ?? shortId(id)}</TextLink>;
}
