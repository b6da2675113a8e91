import type { ReactNode } from 'react';
import { refusals as texts } from '#texts/refusals';
import { exactCount } from '../format/count';
import { causeOf, type RefusalCause } from './refusal-cause';
import classes from './refusal-reasons.module.css';

interface RefusalReasonsProps {
  readonly counts: readonly { readonly code: string; readonly count: number }[];
  /** A link or button that leads to what can be changed. */
  readonly renderAct: (cause: RefusalCause) => ReactNode;
}

/** Reasons of refusals in words, each with the code that clients receive. */
export function RefusalReasons({ counts, renderAct }: RefusalReasonsProps) {
  return (
    <ul className={classes['reasons']}>
      {counts.map(({ code, count }) => {
        const cause = causeOf(code);
        return (
          <li key={code}>
            <span className="num">{texts.times(exactCount(count))}</span>
            <span>{texts.reasons[code] ?? code} {code in texts.reasons && <code className="muted mono">{code}</code>}</span>
            <span>{cause !== null && renderAct(cause)}</span>
          </li>
        );
      })}
    </ul>
  );
}
