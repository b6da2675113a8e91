import { usage } from '#texts/usage';
import { Instant } from '../../components/instant';
import { exactAmount } from '../../format/amount';
import { duration } from '../../format/duration';
import { releasedOf, timelineOf, type TimelineStep } from './timeline';
import { RecordTitle } from './record-title';
import type { UsageDetail } from './usage-rows';
import classes from './record.module.css';

const texts = usage.record;

function noteOf({ kind }: TimelineStep, record: UsageDetail): string | null {
  const released = releasedOf(record);
  if (kind === 'admitted' && record.reserved !== null) return texts.reserved(exactAmount(record.reserved));
  return kind === 'settled' && released !== null ? texts.released(exactAmount(released)) : null;
}

/** Lists the steps of a request, each with the time since the first one. */
export function RecordTimeline({ record }: { readonly record: UsageDetail }) {
  return (
    <section aria-label={texts.timelineTitle}>
      <RecordTitle>{texts.timelineTitle}</RecordTitle>
      <ol className={classes['timeline']}>
        {timelineOf(record).map((step) => {
          const note = noteOf(step, record);
          return (
            <li key={step.kind}>
              <span className="num muted">{duration(step.after)}</span>
              <span>{texts[step.kind]}{note !== null && <span className="muted">{', '}{note}</span>}</span>
              <span className="muted"><Instant at={step.at} precise /></span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
