import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  /** What there is none of, as a sentence. */
  readonly title: string;
  readonly help?: ReactNode;
  /** The next step, as a link or button. */
  readonly action?: ReactNode;
}

/** Stands where there is nothing to show, and says what to do next. */
export function EmptyState({ title, help, action }: EmptyStateProps) {
  return (
    <div className={classes['empty']}>
      <Text fw={600}>{title}</Text>
      {help !== undefined && <div className="muted in-text">{help}</div>}
      {action}
    </div>
  );
}
