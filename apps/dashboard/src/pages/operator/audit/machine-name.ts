import { useQuery } from '@tanstack/react-query';
import { routeQuery } from '../../../api/use-route';
import { isolated } from '../../../format/isolated';

/** Id of a machine in the audit log: with the prefix as the actor, without it as the subject of a change. */
const MACHINE = /^(?:machine:)?(?<id>mach_\w+)$/;
const FRESH_FOR = 300_000;

/** The id of a machine, without the prefix that it has as an actor; `null` if it is not the id of a machine. */
export function machineIdIn(id: string | null): string | null {
  return MACHINE.exec(id ?? '')?.groups?.['id'] ?? null;
}

/** Name of a machine, also of a revoked one; `null` for other ids, and until the gateway has answered. */
export function useMachineName(id: string | null): string | null {
  const machine = machineIdIn(id);
  const { data } = useQuery({ ...routeQuery('listMachines', {}), enabled: machine !== null, staleTime: FRESH_FOR });
  const name = data?.data.find((each) => each.id === machine)?.name;
  return name === undefined ? null : isolated(name);
}
