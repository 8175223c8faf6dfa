/** Parts of messages that several specs need. */
import type { FileFacts } from '../../domain/files/file.ts';

export const factsOfPicture = (fileId: string): FileFacts => ({
  fileId,
  folder: 'chat',
  mime: 'image/jpeg',
  size: 9,
  width: 4,
  height: 3,
  durationS: null,
  thumbnailSize: 2,
});
