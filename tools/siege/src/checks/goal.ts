export interface Goal {
  readonly what: string;
  readonly reached: string;
  readonly isMet: boolean;
}
