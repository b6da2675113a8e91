import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { firstToken as texts } from '#texts/first-token';
import { exactCount } from '../../format/count';
import { duration } from '../../format/duration';
import classes from './charts.module.css';
import type { Times } from './time-series';

interface TimeFiguresProps {
  readonly label: string;
  /** Heading of the first column. */
  readonly heading: string;
  readonly rows: readonly { readonly id: string; readonly name: ReactNode; readonly times: Times | null }[];
  /** Times of all rows together. */
  readonly total?: Times | null;
}

function Cells({ times }: { readonly times: Times | null }) {
  return [times === null ? '0' : exactCount(times.requests), times === null ? '–' : duration(times.p50), times === null ? '–' : duration(times.p95)]
    .map((text, index) => <Table.Td key={['requests', 'p50', 'p95'][index]} className={`${classes['right']} ${classes['row']} num`}>{text}</Table.Td>);
}

/** The figures of `TimeBars` as a table. */
export function TimeFigures({ label, heading, rows, total = null }: TimeFiguresProps) {
  return (
    <Box component="section" className={classes['figures'] ?? ''} aria-label={label} tabIndex={0}>
      <Table verticalSpacing={6} horizontalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{heading}</Table.Th>
            {[texts.measured, texts.median, texts.slow].map((name) => <Table.Th key={name} scope="col" className={classes['right']}>{name}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{rows.map(({ id, name, times }) => <Table.Tr key={id}><Table.Th scope="row" className={classes['row']}>{name}</Table.Th><Cells times={times} /></Table.Tr>)}</Table.Tbody>
        {total !== null && <Table.Tfoot><Table.Tr><Table.Th scope="row">{texts.whole}</Table.Th><Cells times={total} /></Table.Tr></Table.Tfoot>}
      </Table>
    </Box>
  );
}
