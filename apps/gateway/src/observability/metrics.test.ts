import { describe, expect, it } from '@jest/globals';
import { Counter, encodeMetrics, gauge, Histogram, readCounter } from './metrics.js';

describe('encodeMetrics', () => {
  it('writes every kind in the form that Prometheus reads', () => {
    const counter = new Counter({ name: 'pears_total', help: 'Pears.', labels: ['colour', 'size'] });
    counter.add(2, 'green', 'small');
    counter.add(0.5, 'green', 'small');
    counter.add(1, 'red', '');
    const histogram = new Histogram({ name: 'wait_seconds', help: 'Waits.', labels: ['door'], bounds: [0.1, 1] });
    for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(value, 'left');
    const text = encodeMetrics([counter, histogram, gauge({ name: 'open', help: 'Open.' }, () => 3), readCounter({ name: 'seen_total', help: 'Seen.' }, () => 4)]);
    expect(text).toBe(`# HELP pears_total Pears.
# TYPE pears_total counter
pears_total{colour="green",size="small"} 2.5
pears_total{colour="red",size=""} 1
# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{door="left",le="0.1"} 2
wait_seconds_bucket{door="left",le="1"} 3
wait_seconds_bucket{door="left",le="+Inf"} 4
wait_seconds_sum{door="left"} 7.65
wait_seconds_count{door="left"} 4
# HELP open Open.
# TYPE open gauge
open 3
# HELP seen_total Seen.
# TYPE seen_total counter
seen_total 4
`);
  });

  it('escapes what a label may hold', () => {
    const counter = new Counter({ name: 'a_total', help: 'A.', labels: ['name'] });
    counter.add(1, 'a"b\\c\nd');
    expect(encodeMetrics([counter])).toContain('a_total{name="a\\"b\\\\c\\nd"} 1\n');
  });

  it('shows a counter without labels from the start, and of a gauge without a value only its name', () => {
    expect(encodeMetrics([new Counter({ name: 'a_total', help: 'A.', labels: [] })])).toContain('\na_total 0\n');
    expect(encodeMetrics([gauge({ name: 'b', help: 'B.' }, () => null)])).toBe('# HELP b B.\n# TYPE b gauge\n');
  });
});

it('label values that would look alike when joined are told apart', () => {
  const counter = new Counter({ name: 'a_total', help: 'A.', labels: ['first', 'second'] });
  counter.add(1, 'x', 'yz');
  counter.add(1, 'xy', 'z');
  expect(counter.samples()).toHaveLength(2);
});
