import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { charts } from '#texts/charts';
import { Amount } from '../amount';
import classes from './charts.module.css';
import type { SpendSeries, SpendTable } from './spend-series';

interface SpendFiguresProps {
  readonly title: string;
  readonly table: SpendTable;
  readonly seriesName: (series: SpendSeries) => string;
  readonly columnLabel: (column: string) => string;
  readonly columnHeading: string;
  readonly renderColumn?: ((column: string, label: string) => ReactNode) | undefined;
}

export function SpendFigures({ title, table, seriesName, columnLabel, columnHeading, renderColumn }: SpendFiguresProps) {
  return (
    <Box component="section" className={classes['figures'] ?? ''} aria-label={title} tabIndex={0}>
      <Table verticalSpacing={6} horizontalSpacing={10} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columnHeading}</Table.Th>
            {table.series.map((series) => <Table.Th key={series.key} scope="col" className={classes['right']}>{seriesName(series)}</Table.Th>)}
            <Table.Th scope="col" className={classes['right']}>{charts.total}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.columns.map(({ column, amounts, total }) => (
            <Table.Tr key={column}>
              <Table.Th scope="row" className={classes['row']}>{renderColumn === undefined ? columnLabel(column) : renderColumn(column, columnLabel(column))}</Table.Th>
              {table.series.map(({ key }) => <Table.Td key={key} className={classes['right']}><Amount form="column" value={amounts[key] ?? '0'} /></Table.Td>)}
              <Table.Td className={classes['right']}><Amount form="column" value={total} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{charts.total}</Table.Th>
            {table.series.map(({ key, total }) => <Table.Td key={key} className={classes['right']}><Amount form="column" value={total} /></Table.Td>)}
            <Table.Td className={classes['right']}><Amount form="column" value={table.total} /></Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Box>
  );
}
