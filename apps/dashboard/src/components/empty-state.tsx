import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly help?: ReactNode;
  /** A link or button for the next step. */
  readonly action?: ReactNode;
}

export function EmptyState({ title, help, action }: EmptyStateProps) {
  return (
    <div className={classes['empty']}>
      <Text fw={600}>{title}</Text>
      {help !== undefined && <div className="muted in-text">{help}</div>}
      {action}
    </div>
  );
}
