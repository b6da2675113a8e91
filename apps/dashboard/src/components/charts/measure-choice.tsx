import { charts } from '#texts/charts';
import classes from './charts.module.css';

interface MeasureChoiceProps<Choice extends string> {
  /** Labels by choice, in the order in which they are shown. */
  readonly labels: Readonly<Record<Choice, string>>;
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
}

export function MeasureChoice<Choice extends string>({ labels, value, onChange }: MeasureChoiceProps<Choice>) {
  return (
    <fieldset className={classes['measures']} aria-label={charts.measure}>
      {(Object.keys(labels) as Choice[]).map((choice) => <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChange(choice)}>{labels[choice]}</button>)}
    </fieldset>
  );
}
