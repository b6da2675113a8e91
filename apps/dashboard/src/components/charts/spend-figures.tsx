import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { charts } from '#texts/charts';
import classes from './charts.module.css';
import { type Measure, MeasuredFigure } from './measure';
import { NO_SUM, type SpendSeries, type SpendTable } from './spend-series';

interface SpendFiguresProps {
  readonly title: string;
  readonly measure: Measure;
  readonly table: SpendTable;
  readonly seriesName: (series: SpendSeries) => string;
  readonly columnLabel: (column: string) => string;
  readonly columnHeading: string;
  readonly renderColumn?: ((column: string, label: string) => ReactNode) | undefined;
}

/** Loaded when the figures are shown. */
export default function SpendFigures({ title, measure, table, seriesName, columnLabel, columnHeading, renderColumn }: SpendFiguresProps) {
  return (
    <Box component="section" className={classes['figures'] ?? ''} aria-label={title} tabIndex={0}>
      <Table verticalSpacing={6} horizontalSpacing={10} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{columnHeading}</Table.Th>
            {table.series.map((series) => <Table.Th key={series.key} scope="col" className={classes['right']}><span className={classes['cut']} title={seriesName(series)}>{seriesName(series)}</span></Table.Th>)}
            <Table.Th scope="col" className={classes['right']}>{charts.total}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.columns.map(({ column, sums, total }) => (
            <Table.Tr key={column}>
              <Table.Th scope="row" className={classes['row']}>{renderColumn === undefined ? columnLabel(column) : renderColumn(column, columnLabel(column))}</Table.Th>
              {table.series.map(({ key }) => <Table.Td key={key} className={classes['right']}><MeasuredFigure measure={measure} sum={sums[key] ?? NO_SUM} /></Table.Td>)}
              <Table.Td className={classes['right']}><MeasuredFigure measure={measure} sum={total} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{charts.total}</Table.Th>
            {table.series.map(({ key, total }) => <Table.Td key={key} className={classes['right']}><MeasuredFigure measure={measure} sum={total} /></Table.Td>)}
            <Table.Td className={classes['right']}><MeasuredFigure measure={measure} sum={table.total} /></Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Box>
  );
}
