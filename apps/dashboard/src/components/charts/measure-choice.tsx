import { charts } from '#texts/charts';
import classes from './charts.module.css';
import { type Measure, MEASURES } from './measure';

export function MeasureChoice({ value, onChange }: { readonly value: Measure; readonly onChange: (measure: Measure) => void }) {
  return (
    <fieldset className={classes['measures']} aria-label={charts.measure}>
      {MEASURES.map((measure) => <button key={measure} type="button" aria-pressed={measure === value} onClick={() => onChange(measure)}>{charts.measures[measure]}</button>)}
    </fieldset>
  );
}
