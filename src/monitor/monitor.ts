// The monitor room: what others learn about runs. Metrics as text, as a file and over HTTP, and the notice after a run.

export { listedCleanNights } from './clean-nights.ts';
export { readMetrics } from './metrics.ts';
export { writeMetricsFile } from './metrics-file.ts';
export { serveMetrics } from './metrics-server.ts';
export { deliver } from './notice.ts';
