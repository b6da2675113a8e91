import { Table } from '@mantine/core';
import { keys as texts } from '#texts/keys';
import { TextLink } from '../../components/link';
import { useNarrow } from '../../components/use-narrow';
import { KeyModels, KeySpent, KeyStatus, LastUsed } from './key-cells';
import type { KeyAct } from './key-dialogs';
import { KeyMenu } from './key-menu';
import type { Key } from './key-state';
import facts from '../../components/facts.module.css';
import classes from './keys.module.css';

interface KeyRowsProps {
  readonly keys: readonly Key[];
  /** The account's available service tokens; `undefined` until they are read. */
  readonly available: string | undefined;
  readonly onAct: (apiKey: Key, act: KeyAct) => void;
}

const { columns } = texts;

function Name({ apiKey: { id, name } }: { readonly apiKey: Key }) {
  return <TextLink to="/keys/$id" params={{ id }}>{name ?? texts.unnamed}</TextLink>;
}

function Rows({ keys, available, onAct }: KeyRowsProps) {
  return (
    <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': texts.title, role: 'region' } }}>
      <Table className={classes['table'] ?? ''} verticalSpacing={8} horizontalSpacing={10}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columns.name}</Table.Th><Table.Th scope="col">{columns.key}</Table.Th><Table.Th scope="col">{columns.status}</Table.Th>
            <Table.Th scope="col" className={classes['right']}>{columns.spent}</Table.Th><Table.Th scope="col">{columns.models}</Table.Th>
            <Table.Th scope="col">{columns.used}</Table.Th><Table.Th scope="col"><span className="visually-hidden">{columns.actions}</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td className={classes['name']} title={key.name ?? undefined}><Name apiKey={key} /></Table.Td>
              <Table.Td className="mono">{key.hint}</Table.Td>
              <Table.Td><KeyStatus apiKey={key} /></Table.Td>
              <Table.Td className={classes['right']}><KeySpent apiKey={key} available={available} /></Table.Td>
              <Table.Td><KeyModels models={key.models} /></Table.Td>
              <Table.Td><LastUsed at={key.last_used_at} /></Table.Td>
              <Table.Td className={classes['right']}><KeyMenu apiKey={key} onAct={(act) => onAct(key, act)} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Cards({ keys, available, onAct }: KeyRowsProps) {
  return (
    <ul className={classes['cards']}>
      {keys.map((key) => (
        <li key={key.id} className={classes['card']}>
          <div className={classes['head']}>
            <span className={classes['title']}><Name apiKey={key} /></span>
            <KeyMenu apiKey={key} onAct={(act) => onAct(key, act)} />
          </div>
          <dl className={facts['facts']}>
            <dt>{columns.key}</dt><dd className="mono">{key.hint}</dd>
            <dt>{columns.status}</dt><dd><KeyStatus apiKey={key} /></dd>
            <dt>{columns.spent}</dt><dd><KeySpent apiKey={key} available={available} /></dd>
            <dt>{columns.models}</dt><dd><KeyModels models={key.models} /></dd>
            <dt>{columns.used}</dt><dd><LastUsed at={key.last_used_at} /></dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** Shows cards in narrow windows. */
export function KeyRows(props: KeyRowsProps) {
  return useNarrow() ? <Cards {...props} /> : <Rows {...props} />;
}
