import { Badge, Table } from '@mantine/core';
import { machines as texts } from '#texts/machines';
import { Instant } from '../../../components/instant';
import cards from '../../../components/rows-as-cards.module.css';
import { Status } from '../../../components/status';
import { daysLeft, type Machine, replacedUntil, type Scope, stateOf } from './machine';
import { type MachineAct, MachineMenu } from './machine-menu';
import classes from './machines.module.css';

const { columns } = texts;
const SHOWN_NETWORKS = 3;

function MachineStatus({ machine }: { readonly machine: Machine }) {
  const state = stateOf(machine);
  const until = replacedUntil(machine);
  return (
    <span>
      {state === 'expires-soon' ? <Badge color="yellow">{texts.expiresIn(daysLeft(machine))}</Badge> : <Status value={state} />}
      {until !== null && <div className={classes['small']}>{texts.oldSecret} <Instant at={until} /></div>}
    </span>
  );
}

function Scopes({ scopes, grantable }: Pick<Machine, 'scopes'> & { readonly grantable: readonly Scope[] }) {
  return (
    <span className={classes['words']}>
      {scopes.map((scope) => (
        <span key={scope} className="mono">{scope}{!grantable.includes(scope) && <span className={classes['small']}> ({texts.noEffect})</span>}</span>
      ))}
    </span>
  );
}

function Networks({ networks }: Pick<Machine, 'networks'>) {
  if (networks.length === 0) return <span>{texts.allNetworks}</span>;
  const more = networks.length - SHOWN_NETWORKS;
  return (
    <span className={classes['words']} title={networks.join('\n')}>
      {networks.slice(0, SHOWN_NETWORKS).map((network) => <span key={network} className="mono">{network}</span>)}
      {more > 0 && <span className="muted">{texts.moreNetworks(more)}</span>}
    </span>
  );
}

interface MachineRowsProps {
  readonly machines: readonly Machine[];
  readonly grantable: readonly Scope[];
  readonly onAct: (machine: Machine, act: MachineAct) => void;
}

function Row({ machine, grantable, onAct }: Omit<MachineRowsProps, 'machines'> & { readonly machine: Machine }) {
  const { name, hint, scopes, networks, expires_at: expiresAt, last_used_at: usedAt } = machine;
  return (
    <Table.Tr className={machine.status === 'revoked' ? classes['ended'] ?? '' : ''}>
      <Table.Th scope="row" className={classes['name'] ?? ''}><span><strong>{name}</strong><div className={`${classes['small']} mono`}>{hint}</div></span></Table.Th>
      <Table.Td data-label={columns.scopes} className={classes['wrapped'] ?? ''}><Scopes scopes={scopes} grantable={grantable} /></Table.Td>
      <Table.Td data-label={columns.networks} className={classes['wrapped'] ?? ''}><Networks networks={networks} /></Table.Td>
      <Table.Td data-label={columns.expires}><Instant at={expiresAt} /></Table.Td>
      <Table.Td data-label={columns.used}>{usedAt === null ? texts.never : <Instant at={usedAt} relative />}</Table.Td>
      <Table.Td data-label={columns.status} className={`${classes['wrapped']} ${classes['state']}`}><MachineStatus machine={machine} /></Table.Td>
      <Table.Td data-label={columns.actions} className={classes['right'] ?? ''}><MachineMenu machine={machine} onAct={onAct} /></Table.Td>
    </Table.Tr>
  );
}

export function MachineRows({ machines, ...props }: MachineRowsProps) {
  return (
    <Table.ScrollContainer minWidth={240} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': texts.list, role: 'region' } }}>
      <Table className={`${cards['table']} ${classes['table']}`} horizontalSpacing="sm" verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.name}</Table.Th><Table.Th>{columns.scopes}</Table.Th><Table.Th>{columns.networks}</Table.Th><Table.Th>{columns.expires}</Table.Th>
            <Table.Th>{columns.used}</Table.Th><Table.Th>{columns.status}</Table.Th><Table.Th><span className="visually-hidden">{columns.actions}</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{machines.map((machine) => <Row key={machine.id} machine={machine} {...props} />)}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
