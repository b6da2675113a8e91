import { Component, type ReactNode } from 'react';
import { charts } from '#texts/charts';
import { Note } from '../note';

interface State {
  readonly failed: boolean;
}

/** Shows a note if the chart's script fails to load. */
export class ChartBoundary extends Component<{ readonly children: ReactNode }, State> {
  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override state: State = { failed: false };

  override render(): ReactNode {
    return this.state.failed ? <Note kind="warning" role="alert">{charts.failed}</Note> : this.props.children;
  }
}
