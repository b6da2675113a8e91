/** Everything that draws with the chart library: one file, loaded after the first paint. */
export { StackedBars } from './stacked-bars';
export { TimeBars } from './time-bars';
