/** `files former`: what a bucket with versioning still keeps of files that are gone. */
import { Command } from 'commander';
import { removeFormerFiles } from '../formerFiles.ts';
import { say, writeJson, writeLine } from './output.ts';
import { CommandFailed, withStores } from './stores.ts';

interface Options {
  readonly delete?: true;
  readonly json?: true;
}

const former = ({ delete: isDeleting, json }: Options) =>
  withStores(async (cli) => {
    if (cli.config.S3_BUCKET === undefined)
      throw new CommandFailed('uploaded files are in a folder (S3_BUCKET is not set), which keeps no former versions');
    const found = await removeFormerFiles(cli, { isListing: !isDeleting, signal: cli.signal });
    const { objects, versions, marks, still_shown: shown, refused, corrected } = found;
    if (refused > 0) process.exitCode = 1;
    if (json) await writeJson(found);
    else
      await writeLine(
        `${versions} former versions and ${marks} delete markers of ${objects} objects ${isDeleting ? `found. ${corrected} files are said in corrections of erasures` : 'are in the bucket. Nothing was changed: --delete deletes them'}`,
      );
    if (shown > 0)
      say(`${shown} objects are deleted in the bucket, but still shown here. They were left: restore them there.`);
    if (refused > 0)
      say(`${refused} objects are left: the key needs DeleteObjectVersion, and no object lock may hold them.`);
    if (cli.signal.aborted) say('interrupted: repeat it');
  });

export const filesCommand = new Command('files')
  .description('What the bucket of uploaded files keeps')
  .addCommand(
    new Command('former')
      .description('Count former versions of files in a bucket with versioning, and delete them; safe to repeat')
      .option('--delete', 'delete them for good')
      .option('--json', 'print JSON')
      .action(former),
  );
