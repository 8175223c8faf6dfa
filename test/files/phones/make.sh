#!/bin/sh
# Makes the samples in this folder: what phones and browsers record, by container, brand and codec. Tests read the samples
# and do not need this script. It was run with ffmpeg 5.1.9
# and heif-enc 1.15.1 (Debian 12).
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

picture='-f lavfi -i testsrc2=size=64x48:rate=10:duration=1'
sound='-f lavfi -i sine=frequency=440:sample_rate=48000:duration=1'
short='-f lavfi -i sine=frequency=440:sample_rate=8000:duration=0.2'
h264='-c:v libx264 -preset veryslow -crf 40 -pix_fmt yuv420p -g 10'
hevc='-c:v libx265 -preset slow -crf 40 -pix_fmt yuv420p -x265-params log-level=none:info=0'
aac='-c:a aac -b:a 24k -ac 1'
make() { ffmpeg -hide_banner -loglevel error -y -bitexact "$@"; }

# A video of Android: tests give it other brands
make $picture $sound $h264 $aac -shortest -brand isom -f mp4 video-h264-aac.mp4
# Videos of iPhones
make $picture $sound $h264 $aac -shortest -f mov video-h264-aac.mov
make $picture $sound $hevc -tag:v hvc1 $aac -shortest -f mov video-hevc-aac.mov
make $picture $sound $hevc -tag:v hev1 $aac -shortest -f mp4 video-hevc-hev1-aac.mp4
make -display_rotation 90 -i video-h264-aac.mov -c copy -f mov "$work/turned.mov" 2>/dev/null \
  || make -i video-h264-aac.mov -c copy -metadata:s:v:0 rotate=90 -f mov "$work/turned.mov"
cp "$work/turned.mov" video-h264-aac-turned.mov
make $picture $sound $h264 -c:a pcm_s16le -ar 8000 -ac 1 -shortest -f mov video-h264-pcm.mov
make $picture $sound $h264 -c:a ac3 -b:a 32k -ac 1 -ar 32000 -shortest -f mov video-h264-ac3.mov
make $picture $sound $h264 -c:a eac3 -b:a 32k -ac 1 -ar 32000 -shortest -f mp4 video-h264-eac3.mp4
make $picture $sound $h264 -c:a alac -ar 8000 -ac 1 -shortest -f mov video-h264-alac.mov
make $picture $sound $sound -map 0 -map 1 -map 2 $h264 -c:a:0 ac3 -b:a:0 32k -ar:a:0 32000 -c:a:1 aac -b:a:1 24k -shortest \
  -f mov video-h264-ac3-and-aac.mov
make $picture -c:v prores_ks -profile:v 0 -frames:v 2 -f mov video-prores.mov
make $picture -c:v mjpeg -q:v 20 -frames:v 3 -f mov video-mjpeg.mov
# What old phones make
make -f lavfi -i testsrc2=size=128x96:rate=10:duration=0.5 -c:v h263 -b:v 20k -f 3gp video-h263.3gp
make $picture $sound -c:v mpeg4 -b:v 20k $aac -shortest -f 3gp video-mpeg4-aac.3gp
# AMR: 25 frames of 20 ms without speech, of mode 0 (4.75 kbit/s)
node -e "process.stdout.write(Buffer.concat([Buffer.from('#!AMR\n'), ...Array(25).fill(Buffer.from([4, ...Array(12).fill(0)]))]))" > voice-amr.amr
make -i voice-amr.amr -c copy -f 3gp voice-amr.3gp
make $picture -i voice-amr.amr -map 0 -map 1 $h264 -c:a copy -shortest -f 3gp video-h264-amr.3gp
# Other videos of browsers and apps
make $picture $sound -c:v libvpx -b:v 20k -c:a libopus -b:a 16k -ac 1 -shortest video-vp8-opus.webm
make $picture $sound -c:v libvpx-vp9 -b:v 20k -c:a libopus -b:a 16k -ac 1 -shortest video-vp9-opus.webm
make $picture $sound -c:v libaom-av1 -cpu-used 8 -crf 60 -c:a libopus -b:a 16k -ac 1 -shortest video-av1-opus.webm
make $picture $sound -c:v libaom-av1 -cpu-used 8 -crf 60 $aac -shortest video-av1-aac.mp4
make $picture $sound -c:v libvpx-vp9 -b:v 20k -c:a libopus -b:a 16k -ac 1 -shortest video-vp9-opus.mp4
make $picture $sound $h264 -c:a libopus -b:a 16k -ac 1 -shortest video-h264-opus.mkv
make $picture $sound $h264 -c:a flac -ar 8000 -ac 1 -shortest -strict -2 video-h264-flac.mp4
make $picture $sound -c:v libvpx -b:v 20k -c:a pcm_s16le -ar 8000 -ac 1 -shortest video-vp8-pcm.mkv
make $picture $sound -c:v mpeg4 -b:v 20k -c:a libmp3lame -b:a 32k -ac 1 -shortest video-mpeg4-mp3.avi

# Voice messages
make $sound $aac -f ipod voice-aac.m4a
make $sound $aac -brand 3gp4 -f mp4 voice-aac-3gp4.3gp
make $sound $aac -f adts voice-aac.aac
make $sound -c:a alac -ar 8000 -ac 1 -f ipod voice-alac.m4a
make $sound $aac -f mov voice-aac.mov
make $short -c:a pcm_s16le -ar 8000 -ac 1 -f mov voice-pcm.mov
make $short -c:a pcm_s16be -ar 8000 -ac 1 -f mov voice-pcm-big-endian.mov
make $sound -c:a libopus -b:a 16k -ac 1 voice-opus.ogg
make $sound -c:a libvorbis -b:a 32k -ac 1 -ar 16000 voice-vorbis.ogg
make $sound -c:a flac -ar 8000 -ac 1 -f ogg voice-flac.ogg
make $sound -c:a libopus -b:a 16k -ac 1 voice-opus.webm
make $sound -c:a libmp3lame -b:a 32k -ac 1 voice-mp3.mp3
make $short -c:a pcm_s16le -ar 8000 -ac 1 voice-pcm.wav
make $short -c:a pcm_s24le -ar 8000 -ac 1 voice-pcm24.wav
make $short -c:a pcm_f32le -ar 8000 -ac 1 voice-float.wav
make $short -c:a pcm_alaw -ar 8000 -ac 1 voice-alaw.wav
make $short -c:a adpcm_ima_wav -ar 8000 -ac 1 voice-adpcm.wav
make $short -c:a flac -ar 8000 -ac 1 voice-flac.flac
make $short -c:a pcm_s16be -ar 8000 -ac 1 voice-pcm.aiff
make $short -c:a pcm_s16le -ar 8000 -ac 1 voice-pcm.caf

# Pictures
few='-f lavfi -i testsrc2=size=48x32:rate=4:duration=1'
make $few -c:v apng -plays 0 -f apng picture-animated.png
make $few -c:v gif picture-animated.gif
make $few -c:v libwebp_anim -loop 0 picture-animated.webp
make $few -c:v libaom-av1 -cpu-used 8 -crf 50 -f avif picture-animated.avif
make $few -frames:v 1 -c:v libaom-av1 -still-picture 1 -cpu-used 8 -crf 50 -f avif picture-still.avif
make $few -frames:v 1 -pix_fmt yuv420p10le -c:v libaom-av1 -still-picture 1 -cpu-used 8 -crf 50 -f avif picture-10bit.avif
make $few -frames:v 1 picture-still.bmp
make $few -frames:v 1 picture-still.tiff
make $few -frames:v 1 "$work/still.png"
heif-enc -q 30 "$work/still.png" -o picture-still.heic 2>/dev/null # libheif 1.15.1
