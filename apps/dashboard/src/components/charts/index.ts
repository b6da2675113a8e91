export type { OtherSeries, RenderSeries } from './chart-legend';
export { isMeasure, type Measure } from './measure';
export { MeasureChoice } from './measure-choice';
export { Spark } from './spark';
export { SpendChart, type ChartView } from './spend-chart';
export type { ChartSum, SeriesPart, SpendPoint } from './spend-series';
