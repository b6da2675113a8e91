import { createContext, useContext, type ReactNode } from 'react';
import classes from './record.module.css';

/** Level of the headings of a record: 2 on a page of its own, 3 in a list that has a heading. */
export const RecordLevel = createContext<2 | 3>(3);

export function RecordTitle({ children }: { readonly children: ReactNode }) {
  const Heading = `h${useContext(RecordLevel)}` as const;
  return <Heading className={classes['title']}>{children}</Heading>;
}
