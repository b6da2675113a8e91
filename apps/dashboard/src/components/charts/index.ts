export { SpendChart, type ChartView } from './spend-chart';
export type { SpendPoint } from './spend-series';
