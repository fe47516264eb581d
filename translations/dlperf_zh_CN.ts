<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>LogMatcher</name>
    <message>
        <source>No regular expression: %1, at character %2</source>
        <translation>不是正则表达式：%1，位于第 %2 个字符</translation>
    </message>
</context>
<context>
    <name>LogPainter</name>
    <message>
        <source>%1 times</source>
        <translation>%1 次</translation>
    </message>
    <message>
        <source>cut, %1</source>
        <translation>已截断，%1</translation>
    </message>
    <message>
        <source>%1 lines: warmup, not measured</source>
        <translation>%1 行：预热，不计入测量</translation>
    </message>
    <message>
        <source>%1 lines folded: warmup</source>
        <translation>已折叠 %1 行：预热</translation>
    </message>
</context>
<context>
    <name>PlanNoteText</name>
    <message>
        <source>Times are those of earlier runs in this workspace.</source>
        <translation>时间依据此工作区以往的运行。</translation>
    </message>
    <message>
        <source>No earlier run in this workspace tells how long this takes; the first one will. A run is stopped after %1 min at the latest.</source>
        <translation>此工作区没有以往的运行可供估计时间；首个运行之后便可得知。一个运行最迟在 %1 分钟后停止。</translation>
    </message>
    <message>
        <source>%1 cases of the plan are chosen; the others are skipped.</source>
        <translation>计划中选用了 %1 个用例，其余跳过。</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>全部运行</translation>
    </message>
    <message>
        <source>1 case has its repetitions already.</source>
        <translation>有 1 个用例已满足重复次数。</translation>
    </message>
    <message>
        <source>%1 cases have their repetitions already.</source>
        <translation>有 %1 个用例已满足重复次数。</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Expect a poor speedup here. All processes share this machine&apos;s %1 cores, and small images leave little work between two exchanges of gradients. The plan shows that everything works, not how well the machine scales.</source>
        <translation>此处加速比会较低。所有进程共用本机的 %1 个核，且图片较小，两次梯度交换之间的计算很少。此计划用于确认一切可用，而非衡量本机的扩展能力。</translation>
    </message>
    <message>
        <source>%1 runs need %2, which fails a check.</source>
        <translation>%1 个运行需要 %2，但其检查未通过。</translation>
    </message>
    <message>
        <source>Remedy</source>
        <translation>处理办法</translation>
    </message>
    <message>
        <source>%1 more cases cannot run.</source>
        <translation>另有 %1 个用例无法运行。</translation>
    </message>
    <message>
        <source>The plan adds runs to these, depending on what they find. The times do not include them.</source>
        <translation>计划会按这些运行的结果追加运行。时间不含追加的运行。</translation>
    </message>
    <message>
        <source>Up to %1 threads compute on the %2 cores of %3: they keep each other waiting, and a run may take ten times as long. Give processes fewer threads, by the option threads or OMP_NUM_THREADS, or choose topologies of fewer devices.</source>
        <translation>在 %3 的 %2 个核上最多有 %1 个线程计算：它们互相等待，一次运行可能慢十倍。请用选项 threads 或 OMP_NUM_THREADS 减少每个进程的线程，或选择设备更少的拓扑。</translation>
    </message>
    <message>
        <source>Slurm ends a job after its time limit, %1, which is less than the %2 min that a run may take. Raise the limit on the Cluster page, or lower the timeout.</source>
        <translation>Slurm 在时间限制 %1 之后结束作业，短于一次运行可用的 %2 分钟。请在“集群”页延长限制，或缩短时限。</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>RecipePicker</name>
    <message>
        <source>every node</source>
        <translation>每个节点</translation>
    </message>
    <message>
        <source>first node</source>
        <translation>首个节点</translation>
    </message>
</context>
<context>
    <name>StageText</name>
    <message>
        <source>unpacking them</source>
        <translation>正在解压</translation>
    </message>
    <message>
        <source>reading them</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>saving them</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>waiting for another import</source>
        <translation>正在等待另一个导入</translation>
    </message>
</context>
<context>
    <name>dlperf::ui</name>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::AddedRuns</name>
    <message>
        <source>Most</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Runs that the plan adds</source>
        <translation>计划追加的运行</translation>
    </message>
    <message>
        <source>Width of the interval</source>
        <translation>区间宽度</translation>
    </message>
    <message>
        <source>Of the 95 % interval of the median, from end to end</source>
        <translation>中位数 95 % 区间的两端之差</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Every run is planned</source>
        <translation>所有运行都已在计划中</translation>
    </message>
    <message>
        <source>Repeat until the median is known</source>
        <translation>重复到中位数确定为止</translation>
    </message>
    <message>
        <source>Each case runs as often as it takes, and at least Repetitions times</source>
        <translation>每个用例按需要重复，至少达到“重复”的次数</translation>
    </message>
    <message>
        <source>Find the largest batch size</source>
        <translation>找出最大的批次大小</translation>
    </message>
    <message>
        <source>Find how many %1 are enough</source>
        <translation>找出多少 %1 够用</translation>
    </message>
    <message>
        <source>runs at most</source>
        <translation>最多次数</translation>
    </message>
    <message>
        <source>up to</source>
        <translation>最大到</translation>
    </message>
    <message>
        <source>The batch size is doubled until memory runs out, then narrowed down to the exact one</source>
        <translation>批次大小先加倍直到内存不足，再逐步缩小范围，直到确切的数值</translation>
    </message>
    <message>
        <source>It is doubled until that no longer helps, then narrowed down to the least value that is as fast as any, to 2 %</source>
        <translation>先加倍直到不再有帮助，再逐步缩小范围，直到与最快者相差不到 2 % 的最小值</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Banner</name>
    <message>
        <source>Remedy</source>
        <translation>处理办法</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::BeforeAfterModel</name>
    <message>
        <source>Case</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>How far the median after is from that before</source>
        <translation>之后的中位数与之前相差多少</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Where 95 % of the differences of resamples lie</source>
        <translation>重采样之差有 95 % 落在其中</translation>
    </message>
    <message>
        <source>From %1 repetitions on, before and after</source>
        <translation>之前与之后各需至少 %1 次重复</translation>
    </message>
    <message>
        <source>Of the rank test; up to 0.05 the repetitions differ</source>
        <translation>秩检验的 p 值；不超过 0.05 时两方的重复不同</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Repetitions before and after</source>
        <translation>之前与之后的重复次数</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::BeforeAfterPanel</name>
    <message>
        <source>Go to Launch</source>
        <translation>前往“启动”</translation>
    </message>
    <message>
        <source>It takes two campaigns</source>
        <translation>需要两个批次任务</translation>
    </message>
    <message>
        <source>Run a plan, change something, and run it again.</source>
        <translation>运行一个计划，作出更改，再运行一次。</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Swap before and after</source>
        <translation>交换之前与之后</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>What a case may be slower by before it counts as slower</source>
        <translation>用例变慢多少以内不算变慢</translation>
    </message>
    <message>
        <source>Tolerance </source>
        <translation>容差 </translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差别</translation>
    </message>
    <message>
        <source>of the medians, 95 % interval</source>
        <translation>中位数之差，95 % 区间</translation>
    </message>
    <message>
        <source>What else differs</source>
        <translation>其他差别</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>median in %1</source>
        <translation>中位数，单位 %1</translation>
    </message>
    <message>
        <source>No case has a figure both before and after.</source>
        <translation>没有在之前和之后都有数据的用例。</translation>
    </message>
    <message>
        <source>No case is both before and after.</source>
        <translation>没有之前和之后都有的用例。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::CampaignBar</name>
    <message>
        <source>Runs them again in the same campaign; not those that ran out of memory</source>
        <translation>在同一批次任务中重新运行；内存或显存不足的除外</translation>
    </message>
    <message>
        <source>Cancel all</source>
        <translation>全部取消</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>约剩 %1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>Starts the next run</source>
        <translation>开始下一个运行</translation>
    </message>
    <message>
        <source>The current run finishes; no further one starts</source>
        <translation>当前运行会完成，之后不再开始新的运行</translation>
    </message>
    <message>
        <source>Retry %1</source>
        <translation>重试 %1</translation>
    </message>
    <message>
        <source>See comparison</source>
        <translation>查看对比</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::CasePanel</name>
    <message>
        <source>What runs</source>
        <translation>将要运行</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>same on every node</source>
        <translation>所有节点相同</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Start script</source>
        <translation>启动脚本</translation>
    </message>
    <message>
        <source>set when the run starts</source>
        <translation>运行开始时设置</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ChartView</name>
    <message>
        <source>Reset zoom</source>
        <translation>重置缩放</translation>
    </message>
    <message>
        <source>Show all again (0, or a double click)</source>
        <translation>恢复显示全部（0 键或双击）</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::CheckList</name>
    <message>
        <source>Between the nodes</source>
        <translation>节点之间</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::CheckRow</name>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the remedy of %1</source>
        <translation>复制“%1”的处理办法</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ChecksPanel</name>
    <message>
        <source>Preflight checks</source>
        <translation>预检</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>The checks of the chosen node, or of all: what is alike is said once</source>
        <translation>所选节点或全部节点的检查结果；相同的内容只列一次</translation>
    </message>
    <message>
        <source>No node is chosen</source>
        <translation>未选择节点</translation>
    </message>
    <message>
        <source>The filter leaves none, or none is selected.</source>
        <translation>没有符合筛选条件的节点，或尚未选择。</translation>
    </message>
    <message>
        <source>Check all</source>
        <translation>检查全部</translation>
    </message>
    <message>
        <source>Check %1</source>
        <translation>检查 %1</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Asks %1 again</source>
        <translation>重新询问 %1</translation>
    </message>
    <message>
        <source>Checking …</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Not checked yet</source>
        <translation>尚未检查</translation>
    </message>
    <message>
        <source>A check takes a Slurm job with all nodes. It asks them a few questions and changes nothing on them.</source>
        <translation>检查会占用一个含全部节点的 Slurm 作业，只询问几个问题，不做任何改动。</translation>
    </message>
    <message>
        <source>A check asks the node a few questions and changes nothing on it.</source>
        <translation>检查只向节点询问几个问题，不做任何改动。</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 项失败</translation>
    </message>
    <message>
        <source>%1 to look at</source>
        <translation>%1 项需留意</translation>
    </message>
    <message>
        <source>%1 passed</source>
        <translation>%1 项通过</translation>
    </message>
    <message>
        <source>Checks of</source>
        <translation>检查范围</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ChipRow</name>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>%1: other</source>
        <translation>%1：其他</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ClusterPage</name>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Cluster &amp;file …</source>
        <translation>集群文件(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Host file of MPI or Horovod …</source>
        <translation>MPI 或 Horovod 的主机文件(&amp;H)…</translation>
    </message>
    <message>
        <source>Hosts of the &amp;SSH configuration</source>
        <translation>SSH 配置中的主机(&amp;S)</translation>
    </message>
    <message>
        <source>Nodes from Sl&amp;urm …</source>
        <translation>来自 Slurm 的节点(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;This machine alone</source>
        <translation>仅本机(&amp;T)</translation>
    </message>
    <message>
        <source>The list holds this machine alone now.</source>
        <translation>节点列表现在只有本机。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Add node</source>
        <translation>添加节点</translation>
    </message>
    <message>
        <source>Slurm …</source>
        <translation>Slurm…</translation>
    </message>
    <message>
        <source>Partition, limits and nodes of the jobs</source>
        <translation>作业的分区、限制与节点</translation>
    </message>
    <message>
        <source>Check all</source>
        <translation>检查全部</translation>
    </message>
    <message>
        <source>Asks all nodes in a Slurm job of their own (F5)</source>
        <translation>在一个单独的 Slurm 作业中询问全部节点（F5）</translation>
    </message>
    <message>
        <source>Asks every node what it is and whether it is fit to run (F5)</source>
        <translation>询问每个节点的配置以及是否适合运行（F5）</translation>
    </message>
    <message>
        <source>The runs and folders of other nodes stay.</source>
        <translation>其他节点的运行与文件夹保持不变。</translation>
    </message>
    <message>
        <source>%1 was removed from the list.</source>
        <translation>%1 已从列表中移除。</translation>
    </message>
    <message>
        <source>Open a cluster</source>
        <translation>打开集群</translation>
    </message>
    <message>
        <source>Clusters (*.json);;All files (*)</source>
        <translation>集群 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a host file</source>
        <translation>打开主机文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Nodes come from Slurm now, with the job of each run.</source>
        <translation>节点现在由 Slurm 提供，随每个运行的作业分配。</translation>
    </message>
    <message>
        <source>The check waits in Slurm&apos;s queue.</source>
        <translation>检查正在 Slurm 队列中等待。</translation>
    </message>
    <message>
        <source>Cancel the check</source>
        <translation>取消检查</translation>
    </message>
    <message>
        <source>Export as a host file</source>
        <translation>导出为主机文件</translation>
    </message>
    <message>
        <source>Export the cluster</source>
        <translation>导出集群</translation>
    </message>
    <message>
        <source>The list was exported.</source>
        <translation>列表已导出。</translation>
    </message>
    <message>
        <source>The list &quot;%1&quot; comes from outside.</source>
        <translation>列表“%1”来自外部。</translation>
    </message>
    <message>
        <source>Use these nodes</source>
        <translation>使用这些节点</translation>
    </message>
    <message>
        <source>The node list of this workspace runs commands of its own.</source>
        <translation>此工作区的节点列表会执行其自带的命令。</translation>
    </message>
    <message>
        <source>The list &quot;%1&quot; is used now.</source>
        <translation>现在使用列表“%1”。</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>this machine, %1</source>
        <translation>本机，%1</translation>
    </message>
    <message>
        <source>%1, up to %2 nodes with %3 devices from Slurm</source>
        <translation>%1，由 Slurm 提供至多 %2 个节点，共 %3 个设备</translation>
    </message>
    <message>
        <source>%1, %2 nodes with %3 devices</source>
        <translation>%1，%2 个节点，共 %3 个设备</translation>
    </message>
    <message>
        <source>Host: user@host:port, or an alias of ~/.ssh/config. Empty: this machine once more.</source>
        <translation>主机：user@host:port，或 ~/.ssh/config 中的别名。留空：再加一次本机。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copy host</source>
        <translation>复制主机</translation>
    </message>
    <message>
        <source>Remove node</source>
        <translation>移除节点</translation>
    </message>
    <message>
        <source>Another window or program had changed the node list, too.</source>
        <translation>另一个窗口或程序也更改了节点列表。</translation>
    </message>
    <message>
        <source>Both changes are kept.</source>
        <translation>两处更改都已保留。</translation>
    </message>
    <message>
        <source>Its list stands in %1: import that file to use it instead.</source>
        <translation>它的列表保存在 %1：要改用它，请导入该文件。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::CommandPalette</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1，%2，%3</translation>
    </message>
    <message>
        <source>Find an action or a run</source>
        <translation>查找操作或运行</translation>
    </message>
    <message>
        <source>Actions and runs</source>
        <translation>操作与运行</translation>
    </message>
    <message>
        <source>Nothing is called &quot;%1&quot;</source>
        <translation>没有名为“%1”的项</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ComparePage</name>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Speedup base: %1</source>
        <translation>加速比基准：%1</translation>
    </message>
    <message>
        <source>own 1n1g</source>
        <translation>各自的 1n1g</translation>
    </message>
    <message>
        <source>Speedup base</source>
        <translation>加速比基准</translation>
    </message>
    <message>
        <source>Speedups over each series&apos; own figure for one device, or over that of one series</source>
        <translation>加速比相对于各系列自己的单设备数据，或相对于某一系列的单设备数据</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Report …</source>
        <translation>报告…</translation>
    </message>
    <message>
        <source>Left chart …</source>
        <translation>左图…</translation>
    </message>
    <message>
        <source>Right chart …</source>
        <translation>右图…</translation>
    </message>
    <message>
        <source>Copy left chart</source>
        <translation>复制左图</translation>
    </message>
    <message>
        <source>Copy right chart</source>
        <translation>复制右图</translation>
    </message>
    <message>
        <source>Table as Markdown …</source>
        <translation>表格为 Markdown…</translation>
    </message>
    <message>
        <source>Table as CSV …</source>
        <translation>表格为 CSV…</translation>
    </message>
    <message>
        <source>Table as HTML …</source>
        <translation>表格为 HTML…</translation>
    </message>
    <message>
        <source>Table as spreadsheet …</source>
        <translation>表格为电子表格…</translation>
    </message>
    <message>
        <source>Reset filters</source>
        <translation>重置筛选</translation>
    </message>
    <message>
        <source>Nothing matches these filters</source>
        <translation>没有符合筛选条件的结果</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>Export the chart</source>
        <translation>导出图表</translation>
    </message>
    <message>
        <source>SVG, PNG or PDF, as the name ends (*.svg *.png *.pdf)</source>
        <translation>SVG、PNG 或 PDF，由文件名后缀决定 (*.svg *.png *.pdf)</translation>
    </message>
    <message>
        <source>The file was written.</source>
        <translation>文件已写入。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Go to Launch</source>
        <translation>前往“启动”</translation>
    </message>
    <message>
        <source>All that is shown was published by others; Launch has a plan ready for this machine</source>
        <translation>此处显示的都是他人发布的数据；“启动”页已为本机准备好计划</translation>
    </message>
    <message>
        <source>Shown as</source>
        <translation>显示为</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Pivot</source>
        <translation>透视表</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Published by others: %1</source>
        <translation>由他人公布：%1</translation>
    </message>
    <message>
        <source>Copy chart</source>
        <translation>复制图表</translation>
    </message>
    <message>
        <source>Export chart …</source>
        <translation>导出图表 …</translation>
    </message>
    <message>
        <source>Show its runs</source>
        <translation>显示其运行</translation>
    </message>
    <message>
        <source>Compare the others with it</source>
        <translation>其他系列与它对比</translation>
    </message>
    <message>
        <source>Use as speedup base</source>
        <translation>用作加速比基准</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show only this one</source>
        <translation>只显示它</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Name its campaign …</source>
        <translation>命名所属批次任务…</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>View: %1</source>
        <translation>视图：%1</translation>
    </message>
    <message>
        <source>Filters, hidden series, baselines, axes and the pivot table under a name</source>
        <translation>以名称保存筛选、隐藏的系列、基准、坐标轴和透视表</translation>
    </message>
    <message>
        <source>No saved views</source>
        <translation>没有已保存的视图</translation>
    </message>
    <message>
        <source>Save view …</source>
        <translation>保存视图…</translation>
    </message>
    <message>
        <source>Save view</source>
        <translation>保存视图</translation>
    </message>
    <message>
        <source>Delete view</source>
        <translation>删除视图</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>%1 (mostly)</source>
        <translation>多为 %1</translation>
    </message>
    <message>
        <source>Where it goes</source>
        <translation>去了哪里</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>之前与之后</translation>
    </message>
    <message>
        <source>Compare with the campaign before</source>
        <translation>与前一个批次任务比较</translation>
    </message>
    <message>
        <source>All figures as CSV …</source>
        <translation>所有数值导出为 CSV …</translation>
    </message>
    <message>
        <source>Each box needs a choice, and &quot;Only with a finding&quot; leaves out all that have none.</source>
        <translation>每个框都至少要选一项；“仅显示有发现的系列”会略去没有发现的。</translation>
    </message>
    <message>
        <source>Export all figures</source>
        <translation>导出所有数值</translation>
    </message>
    <message>
        <source>%1; 1 cancelled case is left out</source>
        <translation>%1；略去 1 个已取消的用例</translation>
    </message>
    <message>
        <source>%1; %2 cancelled cases are left out</source>
        <translation>%1；略去 %2 个已取消的用例</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ComparisonCharts</name>
    <message>
        <source>Throughput chart</source>
        <translation>吞吐率图</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Per device</source>
        <translation>每设备</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>按设置</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐率</translation>
    </message>
    <message>
        <source>Over which setting</source>
        <translation>随哪项设置变化</translation>
    </message>
    <message>
        <source>On the x axis: the batch size, or an option or variable that the series have different values of</source>
        <translation>横轴：批次大小，或各系列取值不同的选项或变量</translation>
    </message>
    <message>
        <source>Speedup chart</source>
        <translation>加速比图</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>扩展效率</translation>
    </message>
    <message>
        <source>Logarithmic axes: every doubling is one step</source>
        <translation>对数坐标轴：每翻一倍为一格</translation>
    </message>
    <message>
        <source>Choose two batch sizes or more, or runs that differ in an option or variable</source>
        <translation>请选择两个或更多批次大小，或在某个选项、变量上不同的运行</translation>
    </message>
    <message>
        <source>A time is not shared out among devices</source>
        <translation>时间不按设备分摊</translation>
    </message>
    <message>
        <source>No case was run more than once</source>
        <translation>没有重复运行过的用例</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Logarithmic throughput</source>
        <translation>对数吞吐率</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ComparisonLegend</name>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Colour: %1</source>
        <translation>颜色：%1</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>%1 series, %2 hidden</source>
        <translation>%1 个系列，隐藏 %2 个</translation>
    </message>
    <message>
        <source>Compare with care: %1</source>
        <translation>比较时请注意：%1</translation>
    </message>
    <message>
        <source>framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>What the colours of the series tell apart; by itself frameworks, and their series by shade and fill. Another choice holds here and in the report: in Runs colours stay those of frameworks.</source>
        <translation>系列的颜色区分什么；默认区分框架，同一框架的系列以深浅和填充区分。其他选择只用于此处和报告：在“运行”中颜色仍按框架。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::CopyTexts</name>
    <message>
        <source>Copy as</source>
        <translation>复制为</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Deletions</name>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>The shown run …</source>
        <translation>显示的运行…</translation>
    </message>
    <message>
        <source>The selected: %1 …</source>
        <translation>选中的 %1…</translation>
    </message>
    <message>
        <source>The run …</source>
        <translation>该运行…</translation>
    </message>
    <message>
        <source>Its import: %1 …</source>
        <translation>所属导入：%1…</translation>
    </message>
    <message>
        <source>Its campaign: %1 …</source>
        <translation>所属批次任务：%1…</translation>
    </message>
    <message>
        <source>Empty the trash …</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>%1: all of its %2</source>
        <translation>%1：全部 %2</translation>
    </message>
    <message>
        <source>Nothing is deleted: a runner works on that campaign.</source>
        <translation>没有删除任何内容：运行程序正在处理该批次任务。</translation>
    </message>
    <message>
        <source>Wait for its end, or cancel all runs first.</source>
        <translation>请等它结束，或先取消所有运行。</translation>
    </message>
    <message>
        <source>Logs and figures go to the workspace&apos;s trash. Undo puts all back, until the trash is emptied.</source>
        <translation>日志和数据移到工作区的回收站。在清空回收站之前，撤销可以全部放回。</translation>
    </message>
    <message>
        <source>Some runs never ended and may still be on their nodes: let &quot;dlperf reap&quot; and &quot;dlperf clean&quot; look there first; clean knows only runs that are not deleted.</source>
        <translation>有些运行没有结束，可能还在节点上：请先用“dlperf reap”和“dlperf clean”查看；clean 只认识没有删除的运行。</translation>
    </message>
    <message>
        <source>Delete one run?</source>
        <translation>删除一个运行？</translation>
    </message>
    <message>
        <source>Delete %1?</source>
        <translation>删除 %1？</translation>
    </message>
    <message>
        <source>Deleted: %1.</source>
        <translation>已删除：%1。</translation>
    </message>
    <message>
        <source>Restored: %1.</source>
        <translation>已恢复：%1。</translation>
    </message>
    <message>
        <source>Still in the trash: %1.</source>
        <translation>仍在回收站中：%1。</translation>
    </message>
    <message>
        <source>The trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <source>Empty the trash?</source>
        <translation>清空回收站？</translation>
    </message>
    <message>
        <source>It holds %1. They are removed for good, which frees %2.</source>
        <translation>其中有 %1。它们将被永久删除，释放 %2。</translation>
    </message>
    <message>
        <source>Empty the trash</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>That freed %1.</source>
        <translation>释放了 %1。</translation>
    </message>
    <message>
        <source>%1, batch %2: %3</source>
        <translation>%1，批次大小 %2：%3</translation>
    </message>
    <message>
        <source>What was deleted is in the workspace&apos;s trash.</source>
        <translation>删除的内容在工作区的回收站中。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::EditMenu</name>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Include the shown run again</source>
        <translation>重新计入所示的运行(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Exclude the shown run from the medians</source>
        <translation>将所示的运行排除出中位数(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Delete the selected runs …</source>
        <translation>删除选中的运行(&amp;D)…</translation>
    </message>
    <message>
        <source>Empty the &amp;trash …</source>
        <translation>清空回收站(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ExportPanel</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>one file, charts inside</source>
        <translation>单个文件，内含图表</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>A4, as the preview</source>
        <translation>A4，与预览一致</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>with SVG charts beside it</source>
        <translation>另附 SVG 图表</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>with PDF charts beside it</source>
        <translation>另附 PDF 图表</translation>
    </message>
    <message>
        <source>Spreadsheet</source>
        <translation>电子表格</translation>
    </message>
    <message>
        <source>tables, with charts of its own</source>
        <translation>各表格，并带有自己的图表</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>one row a figure</source>
        <translation>每个数据一行</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>the layout of DLPerf</source>
        <translation>DLPerf 的布局</translation>
    </message>
    <message>
        <source>LaTeX as parts to \input</source>
        <translation>LaTeX 分成部分（\input）</translation>
    </message>
    <message>
        <source>Each table and figure a file of its own, and no document</source>
        <translation>每个表格和图各写成一个文件，不写整份文档</translation>
    </message>
    <message>
        <source>Keep earlier files, add the time</source>
        <translation>保留旧文件，名称加上时间</translation>
    </message>
    <message>
        <source>report-2026-11-27-0915.html instead of report.html</source>
        <translation>写成 report-2026-11-27-0915.html，而不是 report.html</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Where to write</source>
        <translation>写入位置</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>尚未写出</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Written %1</source>
        <translation>%1 写出</translation>
    </message>
    <message>
        <source>1 file, %1</source>
        <translation>1 个文件，%1</translation>
    </message>
    <message>
        <source>%1 files, %2</source>
        <translation>%1 个文件，%2</translation>
    </message>
    <message>
        <source>Write or choose a folder for the files.</source>
        <translation>请输入或选择存放文件的文件夹。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::FilterPanel</name>
    <message>
        <source>This workspace</source>
        <translation>当前工作区</translation>
    </message>
    <message>
        <source>Imported logs</source>
        <translation>导入的日志</translation>
    </message>
    <message>
        <source>Published: report v1</source>
        <translation>已发布：报告 v1</translation>
    </message>
    <message>
        <source>Published: readmes</source>
        <translation>已发布：说明文档</translation>
    </message>
    <message>
        <source>Published: others</source>
        <translation>已发布：其他</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Back to what a first look shows</source>
        <translation>恢复为初次打开时的显示</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Batch size per device</source>
        <translation>单卡批次大小</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特性</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Only with a finding</source>
        <translation>仅显示有发现的系列</translation>
    </message>
    <message>
        <source>Hide single runs</source>
        <translation>隐藏单次运行</translation>
    </message>
    <message>
        <source>Only from</source>
        <translation>仅来自</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Shows them all: every precision, batch size, topology, feature and campaign</source>
        <translation>全部显示：所有精度、批次大小、拓扑、特性和批次任务</translation>
    </message>
    <message>
        <source>%1 hidden</source>
        <translation>隐藏 %1 项</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>全部模型</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::FullChart</name>
    <message>
        <source>Leave full screen (Esc)</source>
        <translation>退出全屏（Esc）</translation>
    </message>
    <message>
        <source>Full screen (F11)</source>
        <translation>全屏（F11）</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::HostKeyDialog</name>
    <message>
        <source>Is this %1?</source>
        <translation>这是 %1 吗？</translation>
    </message>
    <message>
        <source>%1 is not among your known hosts</source>
        <translation>%1 不在已知主机之列</translation>
    </message>
    <message>
        <source>It shows a key of the type %1 with this fingerprint:</source>
        <translation>它出示了类型为 %1 的密钥，指纹如下：</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>指纹</translation>
    </message>
    <message>
        <source>Compare it with what the machine itself says, for example by ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub there. If they differ, somebody else may be listening.</source>
        <translation>请与该机器自己给出的指纹核对，例如在其上执行 ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub。若不一致，可能有他人在监听。</translation>
    </message>
    <message>
        <source>Remembered in %1.</source>
        <translation>记入 %1。</translation>
    </message>
    <message>
        <source>Trust and &amp;remember</source>
        <translation>信任并记住(&amp;R)</translation>
    </message>
    <message>
        <source>Trust &amp;once</source>
        <translation>仅信任这一次(&amp;O)</translation>
    </message>
    <message>
        <source>Do &amp;not connect</source>
        <translation>不连接(&amp;N)</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ImportDialog</name>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>is there already</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>unknown format</source>
        <translation>未知格式</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>Import logs</source>
        <translation>导入日志</translation>
    </message>
    <message>
        <source>They will be copied to logs/imported-%1</source>
        <translation>将复制到 logs/imported-%1</translation>
    </message>
    <message>
        <source>Logs to import</source>
        <translation>待导入的日志</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Format as found</source>
        <translation>按识别出的格式</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Implementation</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no topology: write it like 2n8g.</source>
        <translation>“%1”不是拓扑：请写成 2n8g 的形式。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no batch size: write a number from 1.</source>
        <translation>“%1”不是批次大小：请填写不小于 1 的数。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no repetition: write a number from 1.</source>
        <translation>“%1”不是重复序号：请填写不小于 1 的数。</translation>
    </message>
    <message>
        <source>%1 new</source>
        <translation>%1 个新日志</translation>
    </message>
    <message>
        <source>%1 are there already</source>
        <translation>%1 个已存在</translation>
    </message>
    <message>
        <source>%1 lack something and stay out: select them and say below what you know</source>
        <translation>%1 个缺少信息，暂不导入：请选中它们，并在下方补充已知信息</translation>
    </message>
    <message>
        <source>Import 1 log</source>
        <translation>导入 1 个日志</translation>
    </message>
    <message>
        <source>Import %1 logs</source>
        <translation>导入 %1 个日志</translation>
    </message>
    <message>
        <source>Select logs to correct what is known of them.</source>
        <translation>选中日志以更正已知信息。</translation>
    </message>
    <message>
        <source>For the selected log:</source>
        <translation>对所选的 1 个日志：</translation>
    </message>
    <message>
        <source>For the %1 selected logs:</source>
        <translation>对所选的 %1 个日志：</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>%1, e.g. %2</source>
        <translation>%1，例如 %2</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空文件</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ImportModel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>Implementation</source>
        <translation>实现</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>next free</source>
        <translation>下一个空闲序号</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ImportNotice</name>
    <message>
        <source>Importing logs …</source>
        <translation>正在导入日志…</translation>
    </message>
    <message>
        <source>%1: %2 %</source>
        <translation>%1：%2 %</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>They stand in logs/imported-%1 now, and in Compare.</source>
        <translation>日志现位于 logs/imported-%1，并已出现在“对比”中。</translation>
    </message>
    <message>
        <source>1 has no figure in its measurement range.</source>
        <translation>有 1 个在其测量区间内没有数据。</translation>
    </message>
    <message>
        <source>%1 have no figure in their measurement ranges.</source>
        <translation>有 %1 个在其测量区间内没有数据。</translation>
    </message>
    <message>
        <source>and %1 more remarks</source>
        <translation>以及另外 %1 条备注</translation>
    </message>
    <message>
        <source>1 log was imported (%1).</source>
        <translation>已导入 1 个日志（%1）。</translation>
    </message>
    <message>
        <source>%1 logs were imported (%2).</source>
        <translation>已导入 %1 个日志（%2）。</translation>
    </message>
    <message>
        <source>Show in Compare</source>
        <translation>在“对比”中显示</translation>
    </message>
    <message>
        <source>The workspace knows all of these log formats already.</source>
        <translation>工作区已认识所有这些日志格式。</translation>
    </message>
    <message>
        <source>Their logs are recognised when they are imported. They stand in the workspace&apos;s formats.json.</source>
        <translation>导入时会识别这些格式的日志；格式保存在工作区的 formats.json 中。</translation>
    </message>
    <message>
        <source>Log formats added: %1.</source>
        <translation>已添加日志格式：%1。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Keychain</name>
    <message>
        <source>This build of the program was made without QtKeychain.</source>
        <translation>本程序构建时未包含 QtKeychain。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LaunchPage</name>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Open plan</source>
        <translation>打开计划</translation>
    </message>
    <message>
        <source>Save plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>Writes the plan to a file, to be opened again or run by dlperf (Ctrl+S)</source>
        <translation>将计划写入文件，供再次打开或由 dlperf 运行（Ctrl+S）</translation>
    </message>
    <message>
        <source>From a &amp;file …</source>
        <translation>从文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>打开计划</translation>
    </message>
    <message>
        <source>Plans (*.json);;All files (*)</source>
        <translation>计划 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation>计划 (*.json)</translation>
    </message>
    <message>
        <source>The plan was saved.</source>
        <translation>计划已保存。</translation>
    </message>
    <message>
        <source>A plan from outside starts programs on your nodes.</source>
        <translation>来自外部的计划会在节点上启动程序。</translation>
    </message>
    <message>
        <source>Look at its options and at the script and environment on the right first.</source>
        <translation>请先查看它的选项以及右侧的脚本与环境。</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>使用此计划</translation>
    </message>
    <message>
        <source>Another plan stands here now; &quot;%1&quot; had changes that were not saved.</source>
        <translation>现在是另一个计划；“%1”有尚未保存的更改。</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>换回</translation>
    </message>
    <message>
        <source>Plan: %1, changed</source>
        <translation>计划：%1，已更改</translation>
    </message>
    <message>
        <source>Plan: %1</source>
        <translation>计划：%1</translation>
    </message>
    <message>
        <source>%1, %2, batch %3</source>
        <translation>%1，%2，批次 %3</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Start 1 run</source>
        <translation>启动 1 个运行</translation>
    </message>
    <message>
        <source>Start %1 runs</source>
        <translation>启动 %1 个运行</translation>
    </message>
    <message>
        <source>A workspace runs one plan at a time; &quot;%1&quot; is running</source>
        <translation>一个工作区同时只运行一个计划；“%1”正在运行</translation>
    </message>
    <message>
        <source>%1 is running</source>
        <translation>%1 正在运行</translation>
    </message>
    <message>
        <source>Nothing to run</source>
        <translation>没有可运行的内容</translation>
    </message>
    <message>
        <source>Look at the plan first, then use it</source>
        <translation>请先查看计划，再使用它</translation>
    </message>
    <message>
        <source>Look at the node list first: Cluster asks about it</source>
        <translation>请先查看节点列表：“集群”页正在询问</translation>
    </message>
    <message>
        <source>The nodes are being prepared</source>
        <translation>正在准备节点</translation>
    </message>
    <message>
        <source>Some nodes lack what a recipe needs: the list below says what</source>
        <translation>有些节点缺少配方所需的内容：见下方列表</translation>
    </message>
    <message>
        <source>Prepare the nodes first</source>
        <translation>请先准备节点</translation>
    </message>
    <message>
        <source>First: %1, %2, batch %3</source>
        <translation>首个：%1，%2，批次 %3</translation>
    </message>
    <message>
        <source>Add a &amp;recipe …</source>
        <translation>添加配方(&amp;R)…</translation>
    </message>
    <message>
        <source>Add a recipe: the folder that holds recipe.json and launch.sh</source>
        <translation>添加配方：含有 recipe.json 和 launch.sh 的文件夹</translation>
    </message>
    <message>
        <source>The recipe %1 can be chosen now.</source>
        <translation>现在可以选择配方 %1。</translation>
    </message>
    <message>
        <source>It was copied into the workspace.</source>
        <translation>它已复制到工作区。</translation>
    </message>
    <message>
        <source>Start %1+ runs</source>
        <translation>启动 %1+ 运行</translation>
    </message>
    <message>
        <source>The hardware is being measured: the runs would be measured as well</source>
        <translation>正在测量硬件：运行会影响测量</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LegendBar</name>
    <message>
        <source>Click hides %1, Ctrl+click shows only it</source>
        <translation>单击隐藏 %1，Ctrl+单击只显示它</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LegendList</name>
    <message>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Click hides %1, Ctrl+click shows only it</source>
        <translation>单击隐藏 %1，Ctrl+单击只显示它</translation>
    </message>
    <message>
        <source>Find series</source>
        <translation>查找系列</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LinkMap</name>
    <message>
        <source>hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>ring %1</source>
        <translation>环 %1</translation>
    </message>
    <message>
        <source>%1 and %2 alone: %3 GB/s, %4 ms</source>
        <translation>%1 与 %2 单独：%3 GB/s，%4 ms</translation>
    </message>
    <message>
        <source>%1 to %2 while all nodes exchange: %3 GB/s, by way of the hosts</source>
        <translation>所有节点同时交换时 %1 到 %2：%3 GB/s，经由主机</translation>
    </message>
    <message>
        <source>&lt;b&gt;hosts&lt;/b&gt;: by way of the hosts; the others from GPU to GPU</source>
        <translation>&lt;b&gt;主机&lt;/b&gt;：经由主机；其余为 GPU 到 GPU</translation>
    </message>
    <message>
        <source>&lt;b&gt;ring&lt;/b&gt;: what the row&apos;s node sends to the column&apos;s while all exchange, each with the next one, by way of the hosts</source>
        <translation>&lt;b&gt;环&lt;/b&gt;：所有节点同时与下一个节点交换时，该行的节点发给该列的节点的速率，经由主机</translation>
    </message>
    <message>
        <source>&lt;b&gt;ring&lt;/b&gt;: what the row&apos;s node sends to the column&apos;s while all exchange, each with the next one</source>
        <translation>&lt;b&gt;环&lt;/b&gt;：所有节点同时与下一个节点交换时，该行的节点发给该列的节点的速率</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ListOffer</name>
    <message>
        <source>%1 nodes; %2 run a setup of their own, %3 a command to enter a container.</source>
        <translation>%1 个节点；%2 个运行自己的初始化脚本，%3 个有进入容器的命令。</translation>
    </message>
    <message>
        <source>%1 are reached over SSH.</source>
        <translation>%1 通过 SSH 连接。</translation>
    </message>
    <message>
        <source>(cut: %1 characters in all)</source>
        <translation>（已截断：共 %1 个字符）</translation>
    </message>
    <message>
        <source>%1 more stand in the list&apos;s file.</source>
        <translation>另有 %1 条见列表文件。</translation>
    </message>
    <message>
        <source>%1 set variables that decide what runs.</source>
        <translation>%1 个设置了会决定运行内容的环境变量。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LoadingStrip</name>
    <message>
        <source>Reading the results of this workspace …</source>
        <translation>正在读取此工作区的结果…</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Copying; Esc stops it</source>
        <translation>正在复制；按 Esc 停止</translation>
    </message>
    <message>
        <source>Copied the first %1 lines only</source>
        <translation>只复制了前 %1 行</translation>
    </message>
    <message>
        <source>Not copied</source>
        <translation>未复制</translation>
    </message>
    <message>
        <source>The log was cut or replaced: it is read anew</source>
        <translation>日志被截断或替换：正在重新读取</translation>
    </message>
    <message>
        <source>The log&apos;s file is not there any more; what was read stays</source>
        <translation>日志文件已不存在；已读取的内容保留</translation>
    </message>
    <message>
        <source>Reading the log</source>
        <translation>正在读取日志</translation>
    </message>
    <message>
        <source>Searching the log</source>
        <translation>正在搜索日志</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>1 hit</source>
        <translation>1 处匹配</translation>
    </message>
    <message>
        <source>%1 hits</source>
        <translation>%1 处匹配</translation>
    </message>
    <message>
        <source>first %1 hits</source>
        <translation>前 %1 处匹配</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LogSearch</name>
    <message>
        <source>This pattern takes too long. Make it more definite, such as [^ ]* in place of .*</source>
        <translation>此模式耗时过长。请写得更明确，例如用 [^ ]* 代替 .*</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LogTools</name>
    <message>
        <source>All nodes</source>
        <translation>全部节点</translation>
    </message>
    <message>
        <source>%1 warnings; go to the next one</source>
        <translation>%1 个警告；转到下一个</translation>
    </message>
    <message>
        <source>%1 errors; go to the next one</source>
        <translation>%1 个错误；转到下一个</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Stops when you scroll up</source>
        <translation>向上滚动时停止</translation>
    </message>
    <message>
        <source>Scrolling up has stopped it; the key End takes it up again</source>
        <translation>向上滚动已使其停止；按 End 键恢复</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>自动换行</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Show only the lines that are found</source>
        <translation>仅显示匹配的行</translation>
    </message>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>上一处匹配（Shift+F3）</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>下一处匹配（F3）</translation>
    </message>
    <message>
        <source>Break lines that are wider than the log</source>
        <translation>将超出日志宽度的行折行</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LogView</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>No line holds &quot;%1&quot;</source>
        <translation>没有包含“%1”的行</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LoginDialog</name>
    <message>
        <source>Log in to %1</source>
        <translation>登录 %1</translation>
    </message>
    <message>
        <source>Never written down: kept in memory until the window is closed and the runs that it starts have ended.</source>
        <translation>不会写入磁盘：仅保存在内存中，直到窗口关闭且由它启动的运行结束。</translation>
    </message>
    <message>
        <source>Written down nowhere else: kept in memory until the window is closed and the runs that it starts have ended.</source>
        <translation>不会写入别处：仅保存在内存中，直到窗口关闭且由它启动的运行结束。</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>&amp;Remember in the keychain</source>
        <translation>在密钥环中记住(&amp;R)</translation>
    </message>
    <message>
        <source>The desktop&apos;s keychain keeps it until it is deleted there, or does not fit.</source>
        <translation>由桌面的密钥环保存，直到在那里删除或不再适用。</translation>
    </message>
    <message>
        <source>There is no keychain: %1</source>
        <translation>没有密钥环：%1</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::LossPanel</name>
    <message>
        <source>Where it goes</source>
        <translation>去了哪里</translation>
    </message>
    <message>
        <source>Series to explain</source>
        <translation>要解释的系列</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>文字说明</translation>
    </message>
    <message>
        <source>Topology to explain</source>
        <translation>要解释的拓扑</translation>
    </message>
    <message>
        <source>The loss in words</source>
        <translation>损失的文字说明</translation>
    </message>
    <message>
        <source>Nothing to explain here: a series needs runs on one device (1n1g), which the ideal is made of, and on more.</source>
        <translation>没有可解释的：系列需要单个设备（1n1g）上的运行（理想值由它得出），以及更多设备上的运行。</translation>
    </message>
    <message>
        <source>%1 in words</source>
        <translation>%1 的文字说明</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1.&lt;/b&gt; %2.</source>
        <translation>&lt;b&gt;%1。&lt;/b&gt;%2。</translation>
    </message>
    <message>
        <source>Known from %1</source>
        <translation>依据：%1</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1.&lt;/b&gt;</source>
        <translation>&lt;b&gt;%1。&lt;/b&gt;</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Links between the nodes</source>
        <translation>节点之间的链路</translation>
    </message>
    <message>
        <source>GB/s, measured %1</source>
        <translation>GB/s，测量于 %1</translation>
    </message>
    <message>
        <source>Within %1: %2 GB/s</source>
        <translation>%1 内部：%2 GB/s</translation>
    </message>
    <message>
        <source>&lt;b&gt;Remark.&lt;/b&gt; %1.</source>
        <translation>&lt;b&gt;备注。&lt;/b&gt;%1。</translation>
    </message>
    <message>
        <source>&lt;b&gt;What to try&lt;/b&gt;</source>
        <translation>&lt;b&gt;可以尝试&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; (%2)</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;（%2）</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Open in Launch</source>
        <translation>在“启动”中打开</translation>
    </message>
    <message>
        <source>Nobody measured yet how fast the links between the nodes are. Measure on Cluster does, and so does:</source>
        <translation>还没有测量过节点之间的链路有多快。可用“集群”页的“开始测量”，或此命令：</translation>
    </message>
    <message>
        <source>Unit of the losses</source>
        <translation>损失的单位</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::MainWindow</name>
    <message>
        <source>DLPerf Dashboard</source>
        <translation>DLPerf 仪表板</translation>
    </message>
    <message>
        <source>Import a folder of logs</source>
        <translation>导入日志文件夹</translation>
    </message>
    <message>
        <source>Import an archive of logs</source>
        <translation>导入日志归档</translation>
    </message>
    <message>
        <source>Add log formats</source>
        <translation>添加日志格式</translation>
    </message>
    <message>
        <source>Log formats (*.json)</source>
        <translation>日志格式 (*.json)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;plan …</source>
        <translation>打开计划(&amp;P)…</translation>
    </message>
    <message>
        <source>Open &amp;cluster …</source>
        <translation>打开集群(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Import logs …</source>
        <translation>导入日志(&amp;I)…</translation>
    </message>
    <message>
        <source>Import an a&amp;rchive …</source>
        <translation>导入归档(&amp;R)…</translation>
    </message>
    <message>
        <source>Add log &amp;formats …</source>
        <translation>添加日志格式(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Export report …</source>
        <translation>导出报告(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Change the &amp;measurement range …</source>
        <translation>更改测量区间(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Cancel all runs</source>
        <translation>取消全部运行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>How throughput is &amp;measured</source>
        <translation>吞吐率如何测量(&amp;M)</translation>
    </message>
    <message>
        <source>How throughput is measured</source>
        <translation>吞吐率如何测量</translation>
    </message>
    <message>
        <source>A run&apos;s figure is the global throughput over a measurement range: the warmup is not counted, &quot;train&quot; is the number of the last one. A case is run several times; the median counts.

Speedup is the median over the median on one device (1n1g) of the same series; scaling efficiency is speedup over devices. A run that did not reach the end of its range has no figure.</source>
        <translation>一个运行的数据是测量区间内的全局吞吐率：预热部分不计，“训练”是最后一个计入的迭代序号。每个用例运行数次，取中位数。

加速比是中位数与同一系列单设备（1n1g）中位数之比；扩展效率是加速比除以设备数。未到达区间终点的运行没有数据。</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>关于(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Ne&amp;xt region</source>
        <translation>下一区域(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Previous region</source>
        <translation>上一区域(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Settings …</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Find an action or a run …</source>
        <translation>查找操作或运行(&amp;F)…</translation>
    </message>
    <message>
        <source>Find an action or a run</source>
        <translation>查找操作或运行</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 项失败</translation>
    </message>
    <message>
        <source>%1: %2 not fit to run</source>
        <translation>%1：%2 个不适合运行</translation>
    </message>
    <message>
        <source>The workspace did not open</source>
        <translation>工作区未能打开</translation>
    </message>
    <message numerus="yes">
        <source>And %n more before it.</source>
        <translation>
            <numerusform>此前还有 %n 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>About DLPerf Dashboard</source>
        <translation>关于 DLPerf 仪表板</translation>
    </message>
    <message>
        <source>DLPerf Dashboard %1

Measures how fast deep-learning frameworks train, and how well they scale.

Source code under the Apache License 2.0. This program is built with Qt and Qt Charts and is distributed under GPLv3.</source>
        <translation>DLPerf 仪表板 %1

评测深度学习框架的训练速度与扩展能力。

源代码采用 Apache License 2.0。本程序使用 Qt 与 Qt Charts 构建，按 GPLv3 分发。</translation>
    </message>
    <message>
        <source>Archives and logs (*.tar *.tgz *.tar.gz *.txz *.tar.xz *.tar.bz2 *.tar.zst *.tzst *.zip *.gz *.xz *.bz2 *.zst *.log)</source>
        <translation>归档与日志 (*.tar *.tgz *.tar.gz *.txz *.tar.xz *.tar.bz2 *.tar.zst *.tzst *.zip *.gz *.xz *.bz2 *.zst *.log)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>Linear or &amp;logarithmic throughput</source>
        <translation>线性或对数吞吐率(&amp;L)</translation>
    </message>
    <message>
        <source>Cancel the measurement?</source>
        <translation>取消测量？</translation>
    </message>
    <message>
        <source>The hardware is being measured. Closing the window cancels that: nothing of it is kept, and what was measured before stays.</source>
        <translation>正在测量硬件。关闭窗口会取消测量：本次什么也不保留，以前测量的结果仍在。</translation>
    </message>
    <message>
        <source>Cancel it and close</source>
        <translation>取消并关闭</translation>
    </message>
    <message>
        <source>Cancel the import?</source>
        <translation>取消导入？</translation>
    </message>
    <message>
        <source>Logs are being imported. Closing the window cancels that: nothing of these logs is kept.</source>
        <translation>正在导入日志。关闭窗口会取消导入：这些日志都不会保留。</translation>
    </message>
    <message>
        <source>Close without these settings?</source>
        <translation>不保存这些设置就关闭？</translation>
    </message>
    <message>
        <source>What was typed on Cluster cannot be saved: %1</source>
        <translation>“集群”页中输入的内容无法保存：%1</translation>
    </message>
    <message>
        <source>Close without them</source>
        <translation>不保存，直接关闭</translation>
    </message>
    <message>
        <source>Check all &amp;nodes</source>
        <translation>检查所有节点(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Start the plan</source>
        <translation>开始执行计划(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Export the report</source>
        <translation>导出报告(&amp;E)</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ManualWindow</name>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>返回 (Alt+Left)</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>上一处匹配（Shift+F3）</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>下一处匹配（F3）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>1 hit</source>
        <translation>1 处匹配</translation>
    </message>
    <message>
        <source>%1 hits</source>
        <translation>%1 处匹配</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::MeasuredNode</name>
    <message>
        <source>measured %1</source>
        <translation>测量于 %1</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>This node was not among those that were measured.</source>
        <translation>该节点不在测量的节点之中。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Missing:&lt;/b&gt; %1</source>
        <translation>&lt;b&gt;缺失：&lt;/b&gt;%1</translation>
    </message>
    <message>
        <source>&lt;b&gt;Slow:&lt;/b&gt; %1</source>
        <translation>&lt;b&gt;慢：&lt;/b&gt;%1</translation>
    </message>
    <message>
        <source>Not slow beside the other nodes</source>
        <translation>与其他节点相比不慢</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 images/s&lt;/b&gt; on one device, median of %2 (%3 to %4)</source>
        <translation>单个设备 &lt;b&gt;%1 图片/秒&lt;/b&gt;，%2 次的中位数（%3 至 %4）</translation>
    </message>
    <message>
        <source>%1 × %2 px, by %3</source>
        <translation>%1 × %2 px，由 %3 计算</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 MB/s&lt;/b&gt;, %2 files/s</source>
        <translation>&lt;b&gt;%1 MB/s&lt;/b&gt;，%2 文件/秒</translation>
    </message>
    <message>
        <source>%1, %2 images/s prepared</source>
        <translation>%1，准备图片 %2 张/秒</translation>
    </message>
    <message>
        <source>%1; files may have been in the page cache, which makes reading fast</source>
        <translation>%1；文件可能在页缓存中，因而读得快</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>its %1 devices</source>
        <translation>它的 %1 个设备</translation>
    </message>
    <message>
        <source>all %1 nodes together</source>
        <translation>所有 %1 个节点一起</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Latency, ms</source>
        <translation>延迟，ms</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>慢</translation>
    </message>
    <message>
        <source>in the ring</source>
        <translation>在环中</translation>
    </message>
    <message>
        <source>GB/s in the ring, while all nodes exchange: → what this node sends, ← what it gets</source>
        <translation>在环中（所有节点同时交换）的 GB/s：→ 本节点发出的，← 它收到的</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::MeasuredPanel</name>
    <message>
        <source>What was measured of the node</source>
        <translation>节点的测量结果</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>开始测量</translation>
    </message>
    <message>
        <source>Measure &amp;links</source>
        <translation>测量链路(&amp;L)</translation>
    </message>
    <message>
        <source>Measure &amp;computing</source>
        <translation>测量计算(&amp;C)</translation>
    </message>
    <message>
        <source>Measure &amp;reading …</source>
        <translation>测量读取(&amp;R)…</translation>
    </message>
    <message>
        <source>What the measurement is at</source>
        <translation>测量进行到哪里</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the measurement</source>
        <translation>取消测量</translation>
    </message>
    <message>
        <source>Measure reading</source>
        <translation>测量读取</translation>
    </message>
    <message>
        <source>The folder on every node, such as /data/imagenet. Empty: the data folder of each node.</source>
        <translation>每个节点上的文件夹，例如 /data/imagenet。留空：每个节点自己的数据文件夹。</translation>
    </message>
    <message>
        <source>Measures all nodes of the list, as dlperf bench does</source>
        <translation>像 dlperf bench 那样测量列表中的所有节点</translation>
    </message>
    <message>
        <source>Cancelling …</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Asking the nodes …</source>
        <translation>正在询问节点…</translation>
    </message>
    <message>
        <source>All nodes were measured.</source>
        <translation>所有节点都已测量。</translation>
    </message>
    <message>
        <source>Some of it could not be measured.</source>
        <translation>有一部分无法测量。</translation>
    </message>
    <message>
        <source>The measurement was cancelled.</source>
        <translation>测量已取消。</translation>
    </message>
    <message>
        <source>Nothing of it is kept; what was measured before stays.</source>
        <translation>本次什么也不保留；以前测量的结果仍在。</translation>
    </message>
    <message>
        <source>Nothing was measured.</source>
        <translation>什么也没有测到。</translation>
    </message>
    <message>
        <source>A plan is starting or running: its trainers would be measured as well</source>
        <translation>有计划正在启动或运行：其训练程序会影响测量</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Measurement</name>
    <message>
        <source>The program ended without a word.</source>
        <translation>程序没有说明就结束了。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::MeasurementRangeActions</name>
    <message>
        <source>Change the measurement range …</source>
        <translation>更改测量区间…</translation>
    </message>
    <message>
        <source>Restore the original range</source>
        <translation>恢复原来的区间</translation>
    </message>
    <message>
        <source>Choose runs that have a measurement range.</source>
        <translation>请选择有测量区间的运行。</translation>
    </message>
    <message>
        <source>Published figures come without logs, and runs that failed have no figure to change.</source>
        <translation>已发布的数据没有日志，失败的运行没有可更改的数据。</translation>
    </message>
    <message>
        <source>The measurement range of one run is changed.</source>
        <translation>已更改 1 个运行的测量区间。</translation>
    </message>
    <message>
        <source>The measurement range of %1 runs is changed.</source>
        <translation>已更改 %1 个运行的测量区间。</translation>
    </message>
    <message>
        <source>Tables, charts and reports follow, and say so.</source>
        <translation>表格、图表与报告随之更新，并注明此事。</translation>
    </message>
    <message>
        <source>The original measurement range is restored.</source>
        <translation>已恢复原来的测量区间。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::MeasurementRangeDialog</name>
    <message>
        <source>excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>excluded; %1</source>
        <translation>已排除；%1</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Change the measurement range</source>
        <translation>更改测量区间</translation>
    </message>
    <message>
        <source>Their logs are read again. What was written when they ran stays as it is, and the original range can be restored at any time.</source>
        <translation>将重新读取它们的日志。运行时写下的内容保持不变，随时可以恢复原来的区间。</translation>
    </message>
    <message>
        <source>Warmup</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Iterations that are not measured</source>
        <translation>不计入测量的迭代数</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>更改前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>更改后</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Figures before and after</source>
        <translation>更改前后的数据</translation>
    </message>
    <message>
        <source>Reading the logs …</source>
        <translation>正在读取日志…</translation>
    </message>
    <message>
        <source>Reading the logs</source>
        <translation>正在读取日志</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The logs were not read to their ends. Choose a range to read them again.</source>
        <translation>日志未读完。请重新选择区间以再次读取。</translation>
    </message>
    <message>
        <source>Restore the original range</source>
        <translation>恢复原来的区间</translation>
    </message>
    <message>
        <source>No run has a figure in this range.</source>
        <translation>没有运行在此区间内有数据。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Iterations after the warmup</source>
        <translation>预热之后的迭代数</translation>
    </message>
    <message>
        <source>iterations %1 to %2</source>
        <translation>第 %1 至第 %2 个迭代</translation>
    </message>
    <message>
        <source>%1 iterations of warmup, then %2 measured</source>
        <translation>预热 %1 次迭代，随后测量 %2 次</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>One run: %1</source>
        <translation>1 次运行：%1</translation>
    </message>
    <message>
        <source>%1 runs: %2</source>
        <translation>%1 次运行：%2</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NamedMenu</name>
    <message>
        <source>Name; one of the same name is replaced</source>
        <translation>名称；同名的会被替换</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NodeChoiceModel</name>
    <message>
        <source>Not in the list</source>
        <translation>不在列表中</translation>
    </message>
    <message>
        <source>0, master</source>
        <translation>0，主节点</translation>
    </message>
    <message>
        <source>%1, rank %2, %3</source>
        <translation>%1，rank %2，%3</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NodeDetails</name>
    <message>
        <source>Details of the node</source>
        <translation>节点详情</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>The node was not reached; the check says why.</source>
        <translation>未能连接节点；原因见检查结果。</translation>
    </message>
    <message>
        <source>Not known before the first check.</source>
        <translation>首次检查之前未知。</translation>
    </message>
    <message>
        <source>No NVIDIA GPUs were found on this node, so there is no topology to show.
Here a device is a CPU process.</source>
        <translation>此节点上没有 NVIDIA GPU，因此没有拓扑可显示。
这里的设备是一个 CPU 进程。</translation>
    </message>
    <message>
        <source>Choose a pair to see how it is connected.</source>
        <translation>选择一对设备以查看其连接方式。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NodeFacts</name>
    <message>
        <source>none found; %1 CPU processes stand for devices</source>
        <translation>未检测到；以 %1 个 CPU 进程作为设备</translation>
    </message>
    <message>
        <source>%1: %2, %3, up to %4</source>
        <translation>%1：%2，%3，最高 %4</translation>
    </message>
    <message>
        <source>%1 Gbit/s</source>
        <translation>%1 Gbit/s</translation>
    </message>
    <message>
        <source>%1 Mbit/s</source>
        <translation>%1 Mbit/s</translation>
    </message>
    <message>
        <source>being asked</source>
        <translation>正在询问</translation>
    </message>
    <message>
        <source>answered at %1</source>
        <translation>%1 有应答</translation>
    </message>
    <message>
        <source>not reached at %1: %2</source>
        <translation>%1 无法连接：%2</translation>
    </message>
    <message>
        <source>not checked yet</source>
        <translation>尚未检查</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>over SSH</source>
        <translation>通过 SSH</translation>
    </message>
    <message>
        <source>over SSH, by libssh2</source>
        <translation>通过 SSH，使用 libssh2</translation>
    </message>
    <message>
        <source>in a Slurm job</source>
        <translation>在 Slurm 作业中</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>over SSH, by the ssh program with connection sharing</source>
        <translation>通过 SSH，使用 ssh 程序并共享连接</translation>
    </message>
    <message>
        <source>%1, in a container of %2</source>
        <translation>%1，在 %2 的容器中</translation>
    </message>
    <message>
        <source>%1, in its container by %2</source>
        <translation>%1，经 %2 进入其容器</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Reached</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Through</source>
        <translation>经由</translation>
    </message>
    <message>
        <source>Login</source>
        <translation>登录用户</translation>
    </message>
    <message>
        <source>Host key</source>
        <translation>主机密钥</translation>
    </message>
    <message>
        <source>%1, %2 cores</source>
        <translation>%1，%2 核</translation>
    </message>
    <message>
        <source>, %1 NUMA nodes</source>
        <translation>，%1 个 NUMA 节点</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>%1, Linux %2</source>
        <translation>%1，Linux %2</translation>
    </message>
    <message>
        <source>Work folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>Free there</source>
        <translation>剩余空间</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>up</source>
        <translation>已启用</translation>
    </message>
    <message>
        <source>down</source>
        <translation>未启用</translation>
    </message>
    <message>
        <source>virtual</source>
        <translation>虚拟</translation>
    </message>
    <message>
        <source>InfiniBand</source>
        <translation>InfiniBand</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>未检测到</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>cuDNN</source>
        <translation>cuDNN</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>Python packages</source>
        <translation>Python 软件包</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NodeForm</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Letters, digits, . _ and -</source>
        <translation>字母、数字、. _ 和 -</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>A name of your SSH configuration, or user@host:port; empty: this machine</source>
        <translation>SSH 配置中的名称，或 user@host:port；留空为本机</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>the GPUs found, else 2 CPU processes</source>
        <translation>检测到的 GPU，否则为 2 个 CPU 进程</translation>
    </message>
    <message>
        <source>How many devices a run may use here</source>
        <translation>一个运行在此可用的设备数</translation>
    </message>
    <message>
        <source>Device list</source>
        <translation>设备列表</translation>
    </message>
    <message>
        <source>Which devices, in this order; empty: from 0 on</source>
        <translation>使用哪些设备及其顺序；留空为从 0 开始</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>that of the host</source>
        <translation>主机的地址</translation>
    </message>
    <message>
        <source>How the other nodes reach this one</source>
        <translation>其他节点如何到达此节点</translation>
    </message>
    <message>
        <source>Interface</source>
        <translation>网络接口</translation>
    </message>
    <message>
        <source>chosen by NCCL and Gloo</source>
        <translation>由 NCCL 与 Gloo 选择</translation>
    </message>
    <message>
        <source>The network interface that leads to the other nodes</source>
        <translation>通往其他节点的网络接口</translation>
    </message>
    <message>
        <source>RDMA card</source>
        <translation>RDMA 网卡</translation>
    </message>
    <message>
        <source>chosen by NCCL</source>
        <translation>由 NCCL 选择</translation>
    </message>
    <message>
        <source>The InfiniBand or RoCE card that NCCL uses</source>
        <translation>NCCL 使用的 InfiniBand 或 RoCE 网卡</translation>
    </message>
    <message>
        <source>Work folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>Runs make their folders below it; nodes that are one machine each need their own</source>
        <translation>运行在其下建立各自的文件夹；属于同一台机器的节点需各用一个</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Recipes find data sets there</source>
        <translation>配方在此查找数据集</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>A command that runs what follows it inside a container; empty: no container</source>
        <translation>在容器中执行其后内容的命令；留空表示不用容器</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Instead of a command: a container of this image is started for runs, by podman or docker, and ends by itself</source>
        <translation>代替命令：由 podman 或 docker 为运行启动此镜像的容器，并自行结束</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>初始化脚本</translation>
    </message>
    <message>
        <source>bash, sourced before every script</source>
        <translation>bash，在每个脚本之前执行</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>NAME=value, one a line</source>
        <translation>每行一个 名称=值</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Remove node</source>
        <translation>移除节点</translation>
    </message>
    <message>
        <source>What the node was found to have</source>
        <translation>检测到的节点配置</translation>
    </message>
    <message>
        <source>A list needs at least one node</source>
        <translation>列表至少需要一个节点</translation>
    </message>
    <message>
        <source>e.g. %1</source>
        <translation>例如 %1</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NodePicker</name>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>&amp;All nodes</source>
        <translation>全部节点(&amp;A)</translation>
    </message>
    <message>
        <source>Those that &amp;fail no check</source>
        <translation>没有检查失败的节点(&amp;F)</translation>
    </message>
    <message>
        <source>Make it the &amp;master (rank 0)</source>
        <translation>设为主节点（rank 0）(&amp;M)</translation>
    </message>
    <message>
        <source>Nodes of the plan</source>
        <translation>计划的节点</translation>
    </message>
    <message>
        <source>Space uses a node or skips it; the menu makes it the master</source>
        <translation>空格键使用或跳过节点；菜单可将其设为主节点</translation>
    </message>
    <message>
        <source>&amp;Use it or skip it</source>
        <translation>使用或跳过(&amp;U)</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>已选 %1 / %2</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NodesModel</name>
    <message>
        <source>local</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>Not reached</source>
        <translation>无法连接</translation>
    </message>
    <message>
        <source>1 check failed</source>
        <translation>1 项检查失败</translation>
    </message>
    <message>
        <source>%1 checks failed</source>
        <translation>%1 项检查失败</translation>
    </message>
    <message>
        <source>Ready, 1 warning</source>
        <translation>就绪，1 个警告</translation>
    </message>
    <message>
        <source>Ready, %1 warnings</source>
        <translation>就绪，%1 个警告</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>1 CPU process</source>
        <translation>1 个 CPU 进程</translation>
    </message>
    <message>
        <source>%1 CPU processes</source>
        <translation>%1 个 CPU 进程</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>Interface</source>
        <translation>网络接口</translation>
    </message>
    <message>
        <source>Last check</source>
        <translation>上次检查</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::NodesPanel</name>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Last check %1</source>
        <translation>上次检查 %1</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Notifier</name>
    <message>
        <source>%1 of %2 runs have a figure</source>
        <translation>%2 次运行中 %1 次有数据</translation>
    </message>
    <message>
        <source>, %1 failed</source>
        <translation>，%1 次失败</translation>
    </message>
    <message>
        <source>The plan &quot;%1&quot; has ended</source>
        <translation>计划“%1”已结束</translation>
    </message>
    <message>
        <source>A run has failed</source>
        <translation>一次运行失败</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::OptionFields</name>
    <message>
        <source>; part of the case</source>
        <translation>；属于用例</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1: several values</source>
        <translation>%1：多个值</translation>
    </message>
    <message>
        <source>Several values: each is a series of its own</source>
        <translation>多个值：每个各为一个系列</translation>
    </message>
    <message>
        <source>Write a value</source>
        <translation>请填写一个值</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>empty: </source>
        <comment>as in the help of a recipe&apos;s option</comment>
        <translation>留空为</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Palette</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>b%1 %2, repetition %3, %4</source>
        <translation>b%1 %2，重复 %3，%4</translation>
    </message>
    <message>
        <source>%1, not possible now</source>
        <translation>%1，目前不可用</translation>
    </message>
    <message>
        <source>%1, not possible now (%2)</source>
        <translation>%1，目前不可用（%2）</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::PaperView</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::PivotFields</name>
    <message>
        <source>Drag it to another place, or click for what else can be done</source>
        <translation>拖到别处，或点击查看其他操作</translation>
    </message>
    <message>
        <source>+ Add</source>
        <translation>+ 添加</translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation>添加到%1</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move to %1</source>
        <translation>移到%1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Pivot</source>
        <translation>透视表</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Best of each row</source>
        <translation>每行最好</translation>
    </message>
    <message>
        <source>Best of each column</source>
        <translation>每列最好</translation>
    </message>
    <message>
        <source>Best of all</source>
        <translation>全部最好</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Shade</source>
        <translation>着色</translation>
    </message>
    <message>
        <source>Which cells are the darkest</source>
        <translation>哪些单元格颜色最深</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Compared to</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Differences in percent, to one column or to the best of each row</source>
        <translation>与某一列或每行最好值的百分比差别</translation>
    </message>
    <message>
        <source>%1 stays: a table needs a field in its rows and one in its columns.</source>
        <translation>%1保持不动：表格的行和列各需要一个字段。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::PivotModel</name>
    <message>
        <source>Not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>Best to next</source>
        <translation>领先第二</translation>
    </message>
    <message>
        <source>How far the best of the row is ahead of the next</source>
        <translation>本行最好的比第二领先多少</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::PivotPanel</name>
    <message>
        <source>Pivot</source>
        <translation>透视表</translation>
    </message>
    <message>
        <source>Pivot table</source>
        <translation>透视表</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Bold: best of its row</source>
        <translation>粗体：本行最好</translation>
    </message>
    <message>
        <source>Bold: best of its column</source>
        <translation>粗体：本列最好</translation>
    </message>
    <message>
        <source>Show its runs</source>
        <translation>显示其运行</translation>
    </message>
    <message>
        <source>Compare with %1</source>
        <translation>与 %1 对比</translation>
    </message>
    <message>
        <source>Compare with nothing</source>
        <translation>不对比</translation>
    </message>
    <message>
        <source>– no figure</source>
        <translation>– 没有数据</translation>
    </message>
    <message>
        <source>Double-click a cell for its runs</source>
        <translation>双击单元格查看其运行</translation>
    </message>
    <message>
        <source>darkest: of its row</source>
        <translation>颜色最深：本行最好</translation>
    </message>
    <message>
        <source>darkest: of its column</source>
        <translation>颜色最深：本列最好</translation>
    </message>
    <message>
        <source>darkest: of all</source>
        <translation>颜色最深：全部中最好</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>blue: above, orange: below</source>
        <translation>蓝色：更高，橙色：更低</translation>
    </message>
    <message>
        <source>several cases</source>
        <translation>多个用例</translation>
    </message>
    <message>
        <source>Bold and darkest: best of its row</source>
        <translation>粗体且颜色最深：本行最好</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Plan</name>
    <message>
        <source>1 device</source>
        <translation>1 个设备</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 个设备</translation>
    </message>
    <message>
        <source>1 node with %1</source>
        <translation>1 个节点，%1</translation>
    </message>
    <message>
        <source>%1 nodes with %2 each</source>
        <translation>%1 个节点，每个 %2</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::PlanPanel</name>
    <message>
        <source>Write nodes and devices per node: 2n8g</source>
        <translation>请填写节点数与每节点设备数：2n8g</translation>
    </message>
    <message>
        <source>Write a number from 1 to %1</source>
        <translation>请填写 1 到 %1 之间的数</translation>
    </message>
    <message>
        <source>Write features with + between them: dali-cpu+xla</source>
        <translation>请用 + 连接各特性：dali-cpu+xla</translation>
    </message>
    <message>
        <source>Name of the plan</source>
        <translation>计划名称</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Recipes</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Topologies</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>nodes and devices per node</source>
        <translation>节点数与每节点设备数</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Batch size per device</source>
        <translation>单卡批次大小</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特性</translation>
    </message>
    <message>
        <source>each chip is a case of its own</source>
        <translation>每个标签各为一个用例</translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Of each case; the median counts</source>
        <translation>每个用例的重复次数；取中位数</translation>
    </message>
    <message>
        <source>Warmup</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Iterations that are not measured</source>
        <translation>不计入测量的迭代数</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Iterations after the warmup</source>
        <translation>预热之后的迭代数</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>时限</translation>
    </message>
    <message>
        <source>A run that takes longer is stopped</source>
        <translation>超过此时间的运行会被停止</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Seconds between two runs, for the devices to cool down</source>
        <translation>两个运行之间的秒数，供设备降温</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>each value is a case</source>
        <translation>每个值各为一个用例</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation>%1 的选项</translation>
    </message>
    <message>
        <source>Add a recipe …</source>
        <translation>添加配方…</translation>
    </message>
    <message>
        <source>A folder with recipe.json and launch.sh is copied into the workspace</source>
        <translation>把含有 recipe.json 和 launch.sh 的文件夹复制到工作区</translation>
    </message>
    <message>
        <source>Runs that the plan adds</source>
        <translation>计划追加的运行</translation>
    </message>
    <message>
        <source>depending on earlier results</source>
        <translation>取决于先前的结果</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::PlannedRuns</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Runs in their order</source>
        <translation>按顺序排列的运行</translation>
    </message>
    <message>
        <source>Runs go on when this window is closed.</source>
        <translation>关闭此窗口后运行会继续。</translation>
    </message>
    <message>
        <source>%1 repetitions in each cell</source>
        <translation>每格重复 %1 次</translation>
    </message>
    <message>
        <source>The first run tells: no earlier run to judge by</source>
        <translation>首个运行之后可知：尚无以往的运行可供判断</translation>
    </message>
    <message>
        <source>Planned runs as</source>
        <translation>计划运行的显示方式</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Time, about</source>
        <translation>时间，约</translation>
    </message>
    <message>
        <source>Most nodes</source>
        <translation>最多节点</translation>
    </message>
    <message>
        <source>1 repetition in each cell</source>
        <translation>每格重复 1 次</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::QuestionDialogs</name>
    <message>
        <source>The keychain does not answer.</source>
        <translation>密钥环没有应答。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::QueueModel</name>
    <message>
        <source>%1 ok</source>
        <translation>%1 个完成</translation>
    </message>
    <message>
        <source>%1 out of memory</source>
        <translation>%1 个内存或显存不足</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 项失败</translation>
    </message>
    <message>
        <source>%1 cancelled</source>
        <translation>%1 个已取消</translation>
    </message>
    <message>
        <source>%1 too short</source>
        <translation>%1 个未达区间</translation>
    </message>
    <message>
        <source>%1 not run</source>
        <translation>%1 个未运行</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存或显存不足</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>range not reached</source>
        <translation>未达到区间</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>will be skipped</source>
        <translation>将被跳过</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>, disturbed</source>
        <translation>，受干扰</translation>
    </message>
    <message>
        <source>Excluded from the medians</source>
        <translation>不计入中位数</translation>
    </message>
    <message>
        <source>Excluded from the medians: %1</source>
        <translation>不计入中位数：%1</translation>
    </message>
    <message>
        <source>in the queue</source>
        <translation>在队列中</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>not watched</source>
        <translation>未受监视</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>, excluded</source>
        <translation>，已排除</translation>
    </message>
    <message>
        <source>b%1</source>
        <translation>b%1</translation>
    </message>
    <message>
        <source>Repetition %1: %2</source>
        <translation>重复 %1：%2</translation>
    </message>
    <message>
        <source>Median of %1 repetitions: %2</source>
        <translation>%1 次重复的中位数：%2</translation>
    </message>
    <message>
        <source>, repetition %1 of %2: %3</source>
        <translation>，第 %1 次重复（共 %2 次）：%3</translation>
    </message>
    <message>
        <source>1 case</source>
        <translation>1 个用例</translation>
    </message>
    <message>
        <source>%1 cases</source>
        <translation>%1 个用例</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>waits for Resume</source>
        <translation>等待继续</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>, %1 excluded</source>
        <translation>，%1 个已排除</translation>
    </message>
    <message>
        <source>%1, batch %2, repetition %3</source>
        <translation>%1，批次大小 %2，重复 %3</translation>
    </message>
    <message>
        <source>Nothing is logged yet</source>
        <translation>尚无日志</translation>
    </message>
    <message>
        <source>It ended and logged nothing</source>
        <translation>运行已结束，未写下任何日志</translation>
    </message>
    <message>
        <source>It has no log: the workspace had its figure already</source>
        <translation>没有日志：工作区中已有该结果，未运行</translation>
    </message>
    <message>
        <source>It has no log: it was cancelled before it began</source>
        <translation>没有日志：开始之前已被取消</translation>
    </message>
    <message>
        <source>It has no log: it did not begin</source>
        <translation>没有日志：未曾开始</translation>
    </message>
    <message>
        <source>cannot be resumed</source>
        <translation>无法继续</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>在 %1 上</translation>
    </message>
    <message>
        <source>on %1 and %2 more</source>
        <translation>在 %1 及另外 %2 个节点上</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 个运行</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 个运行</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::QueuePanel</name>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>所有状态</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>No figure</source>
        <translation>无数据</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>No run matches.</source>
        <translation>没有符合条件的运行。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Readiness</name>
    <message>
        <source>looked at when it is prepared, in a job of its own</source>
        <translation>在单独的作业中准备时查看</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ReadinessPanel</name>
    <message>
        <source>looking</source>
        <translation>正在查看</translation>
    </message>
    <message>
        <source>to be prepared</source>
        <translation>待准备</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>cannot run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>Readiness</source>
        <translation>就绪情况</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>准备</translation>
    </message>
    <message>
        <source>Installs what the recipes need on these nodes, each in an environment of its own</source>
        <translation>在这些节点上安装配方所需的内容，各用独立的环境</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Readiness of the nodes</source>
        <translation>节点就绪情况</translation>
    </message>
    <message>
        <source>
Double-click to copy.</source>
        <translation>
双击以复制。</translation>
    </message>
    <message>
        <source>asking the nodes …</source>
        <translation>正在询问节点…</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%2 个中 %1 个就绪</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RecipePicker</name>
    <message>
        <source>Filter recipes</source>
        <translation>筛选配方</translation>
    </message>
    <message>
        <source>Original trainers, from a checkout</source>
        <translation>原版训练程序，来自检出的源码</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RecipeTimes</name>
    <message>
        <source>Time by recipe</source>
        <translation>各配方的时间</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ReportPage</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>What the figures have in common</source>
        <translation>各数据的共同之处</translation>
    </message>
    <message>
        <source>Figures from</source>
        <translation>数据来自</translation>
    </message>
    <message>
        <source>What Compare&apos;s filters choose. Series and topologies that are hidden there are skipped in the report as well; the axes are the same.</source>
        <translation>“对比”页筛选出的内容。在那里隐藏的系列与拓扑在报告中同样略去；坐标轴一致。</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Export 1 file</source>
        <translation>导出 1 个文件</translation>
    </message>
    <message>
        <source>Export %1 files</source>
        <translation>导出 %1 个文件</translation>
    </message>
    <message>
        <source>Preview as</source>
        <translation>预览格式</translation>
    </message>
    <message>
        <source>Language of the report</source>
        <translation>报告的语言</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Template: %1</source>
        <translation>模板：%1</translation>
    </message>
    <message>
        <source>Title, language, sections and their order, summaries and files under a name</source>
        <translation>把标题、语言、章节及其顺序、摘要和文件存为一个名称</translation>
    </message>
    <message>
        <source>No saved templates</source>
        <translation>没有已保存的模板</translation>
    </message>
    <message>
        <source>Save template …</source>
        <translation>保存模板…</translation>
    </message>
    <message>
        <source>Save template</source>
        <translation>保存模板</translation>
    </message>
    <message>
        <source>Delete template</source>
        <translation>删除模板</translation>
    </message>
    <message>
        <source>Summaries …</source>
        <translation>摘要…</translation>
    </message>
    <message>
        <source>Write the summaries in your own words</source>
        <translation>用自己的话写摘要</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Ctrl and the wheel change it</source>
        <translation>按住 Ctrl 滚动滚轮可缩放</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>适合宽度</translation>
    </message>
    <message>
        <source>Whole page</source>
        <translation>整页</translation>
    </message>
    <message>
        <source>Your summary of %1 was written for other figures.</source>
        <translation>您为 %1 写的摘要针对的是别的数据。</translation>
    </message>
    <message>
        <source>The computed one stands in the report.</source>
        <translation>报告中使用的是自动生成的摘要。</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Sections and title</source>
        <translation>章节与标题</translation>
    </message>
    <message>
        <source>Files to export</source>
        <translation>要导出的文件</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ResultsModel</name>
    <message>
        <source>too few runs</source>
        <translation>运行次数太少</translation>
    </message>
    <message>
        <source>not distinguishable</source>
        <translation>无法区分</translation>
    </message>
    <message>
        <source>different</source>
        <translation>有差异</translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Quoted from:</source>
        <translation>引自：</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Repetitions that have a figure</source>
        <translation>有数据的重复次数</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Median, %1</source>
        <translation>中位数（%1）</translation>
    </message>
    <message>
        <source>The middle one of the repetitions&apos; figures</source>
        <translation>各次重复数据的中间值</translation>
    </message>
    <message>
        <source>Min to max</source>
        <translation>最小至最大</translation>
    </message>
    <message>
        <source>95&#xa0;% interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>The lowest and the highest repetition</source>
        <translation>最低与最高的一次重复</translation>
    </message>
    <message>
        <source>Where 95 % of the medians of resamples lie (bootstrap)</source>
        <translation>95 % 的重采样中位数所在的范围（bootstrap）</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>The width of that range over the median</source>
        <translation>该范围的宽度与中位数之比</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>The median over the speedup base: the series&apos; own figure for one device, or another</source>
        <translation>中位数与加速比基准之比：该系列自己的单设备数据，或其他基准</translation>
    </message>
    <message>
        <source>%1 to %2 (95 %, median and base resampled)</source>
        <translation>%1 至 %2（95 %，对中位数与基准重采样）</translation>
    </message>
    <message>
        <source>95&#xa0;% of speedup</source>
        <translation>加速比的 95 % 区间</translation>
    </message>
    <message>
        <source>Where 95&#xa0;% of the speedups of resamples lie: the median and its base are resampled</source>
        <translation>95 % 的重采样加速比所在的范围：中位数与其基准均重采样</translation>
    </message>
    <message>
        <source>A base has none of its own; else %1 repetitions are needed, here and of the base</source>
        <translation>基准自身没有此项；此外需要 %1 次重复，这里与基准均如此</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>扩展效率</translation>
    </message>
    <message>
        <source>Speedup over the number of devices; 100 % is ideal</source>
        <translation>加速比除以设备数；100 % 为理想值</translation>
    </message>
    <message>
        <source>To fastest</source>
        <translation>与最快差</translation>
    </message>
    <message>
        <source>Over %1</source>
        <translation>相对 %1</translation>
    </message>
    <message>
        <source>How far from the fastest series of the same topology</source>
        <translation>与同一拓扑下最快系列的差距</translation>
    </message>
    <message>
        <source>How far from the series it is compared to</source>
        <translation>与所比系列的差距</translation>
    </message>
    <message>
        <source>Rank test</source>
        <translation>秩检验</translation>
    </message>
    <message>
        <source>Whether the repetitions of both differ: a rank test with p up to 0.05</source>
        <translation>两者的重复是否有差异：秩检验，p 不超过 0.05</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>What the analysis noticed; the whole is the tool tip of the cell</source>
        <translation>分析所注意到的情况；完整内容见单元格提示</translation>
    </message>
    <message>
        <source>Peak memory, MB</source>
        <translation>峰值内存（MB）</translation>
    </message>
    <message>
        <source>The most that was in use on a GPU, or by one process on CPUs; of published figures as the source says</source>
        <translation>GPU 上占用的最大值，在 CPU 上则为单个进程的最大值；已发布的数据以来源为准</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ResultsPanel</name>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Compared to: %1</source>
        <translation>比较对象：%1</translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>Compared to</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>What the last column of figures is relative to</source>
        <translation>最后一列数据相对于什么</translation>
    </message>
    <message>
        <source>Spread: min to max</source>
        <translation>离散度：最小至最大</translation>
    </message>
    <message>
        <source>Spread: 95 % interval</source>
        <translation>离散度：95 % 区间</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>Whiskers and table: the lowest and highest repetition, or where the median lies with 95 % confidence (bootstrap, five repetitions or more)</source>
        <translation>须线与表格：最低与最高的重复，或中位数的 95 % 置信区间（bootstrap，至少五次重复）</translation>
    </message>
    <message>
        <source>– no figure</source>
        <translation>– 无数据</translation>
    </message>
    <message>
        <source>Rounded as DLPerf does, to 2 decimals</source>
        <translation>按 DLPerf 规则保留 2 位小数</translation>
    </message>
    <message>
        <source>From 4 and 4 repetitions on a rank test can tell whether two cases differ</source>
        <translation>两个用例各有 4 次及以上重复时，秩检验才能判断是否有差异</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Too few runs to judge a difference: %1</source>
        <translation>运行次数太少，无法判断差异：%1</translation>
    </message>
    <message>
        <source>No series yet</source>
        <translation>尚无系列</translation>
    </message>
    <message>
        <source>%1 of %2 series shown, %3 hidden</source>
        <translation>显示 %1 / %2 个系列，%3 个已隐藏</translation>
    </message>
    <message>
        <source>%1 series shown</source>
        <translation>显示 %1 个系列</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RunActions</name>
    <message>
        <source>Include again</source>
        <translation>重新计入</translation>
    </message>
    <message>
        <source>Exclude from the medians</source>
        <translation>不计入中位数</translation>
    </message>
    <message>
        <source>Unskip this run</source>
        <translation>不再跳过此运行</translation>
    </message>
    <message>
        <source>Skip this run</source>
        <translation>跳过此运行</translation>
    </message>
    <message>
        <source>Cancel this run</source>
        <translation>取消此运行</translation>
    </message>
    <message>
        <source>Retry this run</source>
        <translation>重试此运行</translation>
    </message>
    <message>
        <source>Run this case again</source>
        <translation>再次运行此用例</translation>
    </message>
    <message>
        <source>Note …</source>
        <translation>备注…</translation>
    </message>
    <message>
        <source>Versions …</source>
        <translation>版本…</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>打开其文件夹</translation>
    </message>
    <message>
        <source>Copy the folder&apos;s path</source>
        <translation>复制文件夹路径</translation>
    </message>
    <message>
        <source>Copy the run&apos;s id</source>
        <translation>复制运行编号</translation>
    </message>
    <message>
        <source>The others run as planned.</source>
        <translation>其他运行按计划进行。</translation>
    </message>
    <message>
        <source>It can be run again once the others are through.</source>
        <translation>其他运行结束后可以再次运行它。</translation>
    </message>
    <message>
        <source>The current run will be stopped, and queued ones will not start.</source>
        <translation>当前运行会被停止，排队的运行不再开始。</translation>
    </message>
    <message>
        <source>All runs are being cancelled.</source>
        <translation>正在取消全部运行。</translation>
    </message>
    <message>
        <source>All runs have ended.</source>
        <translation>所有运行均已结束。</translation>
    </message>
    <message>
        <source>It is kept and shown, and no longer counts in medians.</source>
        <translation>它仍保留并显示，但不再计入中位数。</translation>
    </message>
    <message>
        <source>Name its campaign …</source>
        <translation>命名所属批次任务…</translation>
    </message>
    <message>
        <source>Name the campaign</source>
        <translation>命名批次任务</translation>
    </message>
    <message>
        <source>Name; without one it is called by its time and plan</source>
        <translation>名称；留空则按时间和计划称呼</translation>
    </message>
    <message>
        <source>Compare with the campaign before</source>
        <translation>与前一个批次任务比较</translation>
    </message>
    <message>
        <source>%1 will be skipped.</source>
        <translation>%1 将被跳过。</translation>
    </message>
    <message>
        <source>%1 is being cancelled.</source>
        <translation>正在取消 %1。</translation>
    </message>
    <message>
        <source>%1 is excluded.</source>
        <translation>%1 已排除。</translation>
    </message>
    <message>
        <source>%1 counts again.</source>
        <translation>%1 重新计入。</translation>
    </message>
    <message>
        <source>All runs are about to be cancelled.</source>
        <translation>即将取消全部运行。</translation>
    </message>
    <message>
        <source>Exclude or skip the selected: %1</source>
        <translation>排除或跳过选中的：%1</translation>
    </message>
    <message>
        <source>Excluded: %1.</source>
        <translation>已排除：%1。</translation>
    </message>
    <message>
        <source>What is excluded is kept and shown, and no longer counts in medians.</source>
        <translation>排除的仍保留并显示，但不再计入中位数。</translation>
    </message>
    <message>
        <source>Skipped: %1.</source>
        <translation>将跳过：%1。</translation>
    </message>
    <message>
        <source>The current run goes on: select it alone to cancel it.</source>
        <translation>当前运行继续进行：要取消它，请单独选中它。</translation>
    </message>
    <message>
        <source>None of the selected runs can be excluded or skipped.</source>
        <translation>选中的运行都不能排除或跳过。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RunHeader</name>
    <message>
        <source>Note on this run</source>
        <translation>此运行的备注</translation>
    </message>
    <message>
        <source>Versions of this run</source>
        <translation>此运行的版本</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Cancel run</source>
        <translation>取消运行</translation>
    </message>
    <message>
        <source>Include again</source>
        <translation>重新计入</translation>
    </message>
    <message>
        <source>repetition %1</source>
        <translation>重复 %1</translation>
    </message>
    <message>
        <source>, started %1</source>
        <translation>，开始于 %1</translation>
    </message>
    <message>
        <source>, measurement range %1 instead of %2</source>
        <translation>，测量区间 %1，原为 %2</translation>
    </message>
    <message>
        <source>, disturbed</source>
        <translation>，受干扰</translation>
    </message>
    <message>
        <source>counted line</source>
        <translation>计入的行</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>%1, median</source>
        <translation>%1，中位数</translation>
    </message>
    <message>
        <source>took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>elapsed</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>left, about</source>
        <translation>约剩</translation>
    </message>
    <message>
        <source>Folder of this run</source>
        <translation>此运行的文件夹</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RunHints</name>
    <message>
        <source>Show line %1</source>
        <translation>显示第 %1 行</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RunListModel</name>
    <message>
        <source>No.</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>About</source>
        <translation>预计</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RunMatrix</name>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>%1 runs of %2 on %3</source>
        <translation>%1 个运行：%2，%3</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RunRemarks</name>
    <message>
        <source>Excluded, because</source>
        <translation>已排除，原因：</translation>
    </message>
    <message>
        <source>the reason, for the report</source>
        <translation>原因，会写入报告</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>what is to be remembered of this run</source>
        <translation>此运行需要记住的事</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Go to Launch</source>
        <translation>前往“启动”</translation>
    </message>
    <message>
        <source>Nothing has run in this workspace yet</source>
        <translation>此工作区尚未运行过任何内容</translation>
    </message>
    <message>
        <source>Launch has a plan ready: a real ResNet50 on this machine, in a few minutes.</source>
        <translation>“启动”页已备好一个计划：在本机上真实训练 ResNet50，只需几分钟。</translation>
    </message>
    <message>
        <source>Throughput per node</source>
        <translation>各节点吞吐率</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>The runner of &quot;%1&quot; has ended.</source>
        <translation>“%1”的运行程序已退出。</translation>
    </message>
    <message>
        <source>The plan is not finished. Finished runs are kept; Resume runs the others.</source>
        <translation>计划尚未完成。已完成的运行会保留；“继续”将运行其余部分。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Paused.</source>
        <translation>已暂停。</translation>
    </message>
    <message>
        <source>The next run waits until you resume.</source>
        <translation>下一个运行等待您点击“继续”。</translation>
    </message>
    <message>
        <source>This run has no figure: %1.</source>
        <translation>此运行没有数据：%1。</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>%1: run %2 of %3, paused</source>
        <translation>%1：第 %2 次运行，共 %3 次，已暂停</translation>
    </message>
    <message>
        <source>%1: run %2 of %3</source>
        <translation>%1：第 %2 次运行，共 %3 次</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 finished</source>
        <translation>%1：%3 次中已完成 %2 次</translation>
    </message>
    <message>
        <source>imported logs</source>
        <translation>导入的日志</translation>
    </message>
    <message>
        <source>Queue of runs</source>
        <translation>运行队列</translation>
    </message>
    <message>
        <source>This run has no figure.</source>
        <translation>此运行没有数据。</translation>
    </message>
    <message>
        <source>Not run.</source>
        <translation>未运行。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be resumed.</source>
        <translation>“%1”无法继续。</translation>
    </message>
    <message>
        <source>. %1</source>
        <comment>a sentence behind others</comment>
        <translation>。%1</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::SearchField</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::SectionsList</name>
    <message>
        <source>Sections</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Drag a section, or move it with Alt and the arrow keys</source>
        <translation>拖动章节，或用 Alt 加方向键移动</translation>
    </message>
    <message>
        <source>Pivot table</source>
        <translation>透视表</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>All repetitions</source>
        <translation>全部重复</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Test environment</source>
        <translation>测试环境</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Scripts</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Edit summaries …</source>
        <translation>编辑摘要…</translation>
    </message>
    <message>
        <source>Usual sections and order</source>
        <translation>默认的章节和顺序</translation>
    </message>
    <message>
        <source>Where it goes</source>
        <translation>去了哪里</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Session</name>
    <message>
        <source>Something could not be read</source>
        <translation>有内容无法读取</translation>
    </message>
    <message>
        <source>The runs did not start.</source>
        <translation>运行未能开始。</translation>
    </message>
    <message>
        <source>The runs did not resume.</source>
        <translation>运行未能继续。</translation>
    </message>
    <message>
        <source>The runs were not started again.</source>
        <translation>运行未能重新开始。</translation>
    </message>
    <message>
        <source>The run was not started again.</source>
        <translation>该运行未能重新开始。</translation>
    </message>
    <message>
        <source>The workspace&apos;s folder is gone</source>
        <translation>工作区的文件夹不见了</translation>
    </message>
    <message>
        <source>Put it back where it was, or open it where it is now; what was read from it stays in sight.</source>
        <translation>请把它放回原处，或在新位置打开；已读取的内容仍然显示。</translation>
    </message>
    <message>
        <source>It ended and could not say why. See whether the disk of the workspace is full, and start again.</source>
        <translation>它已结束，但无法说明原因。请查看工作区所在磁盘是否已满，然后重新开始。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Some texts take the new size when the window is opened again.</source>
        <translation>部分文字在重新打开窗口后才采用新的大小。</translation>
    </message>
    <message>
        <source>&amp;Font size</source>
        <translation>字体大小(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::Sidebar</name>
    <message>
        <source>Run %1 of %2</source>
        <translation>第 %1 / %2 个运行</translation>
    </message>
    <message>
        <source>repetition %1</source>
        <translation>重复 %1</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1（Ctrl+%2）</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Workspace %1</source>
        <translation>工作区 %1</translation>
    </message>
    <message>
        <source>Change to light</source>
        <translation>切换为浅色</translation>
    </message>
    <message>
        <source>Change to dark</source>
        <translation>切换为深色</translation>
    </message>
    <message>
        <source>No run active</source>
        <translation>没有进行中的运行</translation>
    </message>
    <message>
        <source>1 run active, %1 queued</source>
        <translation>1 个运行中，%1 个排队</translation>
    </message>
    <message>
        <source>%1 runs wait: their runner has ended</source>
        <translation>%1 个运行在等待：其运行程序已退出</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Runs of all campaigns, and imported ones</source>
        <translation>所有批次的运行和导入的运行</translation>
    </message>
    <message>
        <source>Own and imported runs that have a figure</source>
        <translation>自有和导入的运行中有数值的</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::SlurmDialog</name>
    <message>
        <source>Nodes from Slurm</source>
        <translation>来自 Slurm 的节点</translation>
    </message>
    <message>
        <source>Each run is a job: it waits in the queue, gets its nodes, and gives them back. The work folder must be one that the login node and the nodes share.</source>
        <translation>每个运行是一个作业：在队列中等待，获得节点，用后归还。工作文件夹须为登录节点与计算节点共享。</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Login node</source>
        <translation>登录节点</translation>
    </message>
    <message>
        <source>Where jobs are submitted: a name of your SSH configuration, or user@host:port; empty: here</source>
        <translation>提交作业之处：SSH 配置中的名称，或 user@host:port；留空为本机</translation>
    </message>
    <message>
        <source>List partitions</source>
        <translation>列出分区</translation>
    </message>
    <message>
        <source>Slurm&apos;s default</source>
        <translation>Slurm 的默认值</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Where jobs wait; empty: Slurm&apos;s default</source>
        <translation>作业在哪个分区等待；留空为 Slurm 的默认分区</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>How many a run may take at most</source>
        <translation>一个运行最多可用的节点数</translation>
    </message>
    <message>
        <source>GPUs, gres</source>
        <translation>GPU，gres</translation>
    </message>
    <message>
        <source>Asked for on each node: --gres</source>
        <translation>每个节点所申请的：--gres</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>账户</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>您的账户</translation>
    </message>
    <message>
        <source>Whom the time is charged to: --account</source>
        <translation>时间计入哪个账户：--account</translation>
    </message>
    <message>
        <source>Quality of service</source>
        <translation>服务质量</translation>
    </message>
    <message>
        <source>the account&apos;s</source>
        <translation>账户的默认值</translation>
    </message>
    <message>
        <source>--qos</source>
        <translation>--qos</translation>
    </message>
    <message>
        <source>Constraint</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>Features of the nodes: --constraint</source>
        <translation>节点特性：--constraint</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间限制</translation>
    </message>
    <message>
        <source>what the runs may take, and 10 minutes</source>
        <translation>运行所需时间再加 10 分钟</translation>
    </message>
    <message>
        <source>Of a job: minutes, 2:00:00 or 1-00:00:00</source>
        <translation>作业的时限：分钟数、2:00:00 或 1-00:00:00</translation>
    </message>
    <message>
        <source>Further options</source>
        <translation>其他选项</translation>
    </message>
    <message>
        <source>Of sbatch, each in one word</source>
        <translation>sbatch 的选项，每项一个词</translation>
    </message>
    <message>
        <source>one for each run</source>
        <translation>每个运行一个</translation>
    </message>
    <message>
        <source>one for the whole campaign</source>
        <translation>整个批次一个</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>作业</translation>
    </message>
    <message>
        <source>One job for all keeps its nodes between the runs, and waits in the queue once</source>
        <translation>全部共用一个作业时，运行之间保留节点，只需排队一次</translation>
    </message>
    <message>
        <source>Nobody else&apos;s jobs on these nodes</source>
        <translation>这些节点上不运行他人的作业</translation>
    </message>
    <message>
        <source>--exclusive: others would change the figures</source>
        <translation>--exclusive：他人的作业会影响数据</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>the GPUs asked for, else 2 CPU processes</source>
        <translation>所申请的 GPU，否则为 2 个 CPU 进程</translation>
    </message>
    <message>
        <source>How many devices a run may use on each node</source>
        <translation>一个运行在每个节点上可用的设备数</translation>
    </message>
    <message>
        <source>Work folder</source>
        <translation>工作文件夹</translation>
    </message>
    <message>
        <source>Shared by the login node and all nodes: runs, jobs and logs stand below it</source>
        <translation>由登录节点与所有节点共享：运行、作业与日志都在其下</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>初始化脚本</translation>
    </message>
    <message>
        <source>bash, sourced before every script</source>
        <translation>bash，在每个脚本之前执行</translation>
    </message>
    <message>
        <source>Use these nodes</source>
        <translation>使用这些节点</translation>
    </message>
    <message>
        <source>Write a number from 1 on, or nothing.</source>
        <translation>请填写不小于 1 的数，或留空。</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>asking the login node …</source>
        <translation>正在询问登录节点…</translation>
    </message>
    <message>
        <source>%1 partitions; none is the default</source>
        <translation>%1 个分区；没有默认分区</translation>
    </message>
    <message>
        <source>there is no partition %1</source>
        <translation>没有名为 %1 的分区</translation>
    </message>
    <message>
        <source>%1 nodes, %2 CPUs each%3, time limit %4%5</source>
        <translation>%1 个节点，每个 %2 个 CPU%3，时间限制 %4%5</translation>
    </message>
    <message>
        <source>; down</source>
        <translation>；不可用</translation>
    </message>
    <message>
        <source>e.g. %1</source>
        <translation>例如 %1</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::SummariesDialog</name>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Your words stand in the report until the figures below them change.</source>
        <translation>您写的文字会一直用在报告中，直到其所依据的数据改变。</translation>
    </message>
    <message>
        <source>Summary of %1</source>
        <translation>%1 的摘要</translation>
    </message>
    <message>
        <source>As computed</source>
        <translation>恢复自动生成</translation>
    </message>
    <message>
        <source>Written for other figures: the report has the computed words until you confirm yours with OK. Computed: %1</source>
        <translation>针对的是别的数据：在您按“确定”确认之前，报告中使用自动生成的文字：%1</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::TelemetryPanel</name>
    <message>
        <source>Node load</source>
        <translation>节点负载</translation>
    </message>
    <message>
        <source>What is shown of the nodes</source>
        <translation>显示节点的哪项数据</translation>
    </message>
    <message>
        <source>GPU use</source>
        <translation>GPU 利用率</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟频率</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Throttled</source>
        <translation>降频</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Show the load over time</source>
        <translation>显示负载随时间的变化</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 to %2 %3</source>
        <translation>%1 至 %2 %3</translation>
    </message>
    <message>
        <source>Other processes</source>
        <translation>其他进程</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ThemeControl</name>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::TopologyGrid</name>
    <message>
        <source>Topology of GPUs and network cards</source>
        <translation>GPU 与网卡的拓扑</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::TopologyModel</name>
    <message>
        <source>itself</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>one NVLink</source>
        <translation>一条 NVLink</translation>
    </message>
    <message>
        <source>two NVLinks</source>
        <translation>两条 NVLink</translation>
    </message>
    <message>
        <source>%1 NVLinks</source>
        <translation>%1 条 NVLink</translation>
    </message>
    <message>
        <source>one PCIe switch</source>
        <translation>一个 PCIe 交换机</translation>
    </message>
    <message>
        <source>several PCIe switches</source>
        <translation>多个 PCIe 交换机</translation>
    </message>
    <message>
        <source>a PCIe host bridge</source>
        <translation>PCIe 主桥</translation>
    </message>
    <message>
        <source>across PCIe hosts</source>
        <translation>跨 PCIe 主桥</translation>
    </message>
    <message>
        <source>across CPU sockets</source>
        <translation>跨 CPU 插槽</translation>
    </message>
    <message>
        <source>a link this version does not know</source>
        <translation>此版本不认识的连接</translation>
    </message>
    <message>
        <source>%1 to %2: %3.</source>
        <translation>%1 至 %2：%3。</translation>
    </message>
    <message>
        <source>CPU cores</source>
        <translation>CPU 核</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::UndoBanner</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo (%1 s)</source>
        <translation>撤销（%1 秒）</translation>
    </message>
    <message>
        <source>What was done last can still be undone.</source>
        <translation>上一步操作仍可撤销。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::ValueTip</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>dlperf::ui::VariableFields</name>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Add variable</source>
        <translation>添加变量</translation>
    </message>
    <message>
        <source>Write letters, digits and underscores, no digit first</source>
        <translation>请使用字母、数字与下划线，且不以数字开头</translation>
    </message>
    <message>
        <source>Names with DLPERF_ are set by the program; options stand below</source>
        <translation>DLPERF_ 开头的名称由程序设置；选项在下方</translation>
    </message>
    <message>
        <source>It is there already</source>
        <translation>已存在</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>Removes this value</source>
        <translation>移除此值</translation>
    </message>
    <message>
        <source>no value yet</source>
        <translation>尚无值</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Add value</source>
        <translation>添加值</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::VersionsDialog</name>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>C library</source>
        <translation>C 库</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>MPI</source>
        <translation>MPI</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Image id</source>
        <translation>镜像 ID</translation>
    </message>
    <message>
        <source>Image digest</source>
        <translation>镜像摘要</translation>
    </message>
    <message>
        <source>Checkout %1</source>
        <translation>检出 %1</translation>
    </message>
    <message>
        <source>%1, with changes</source>
        <translation>%1，有改动</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Filter versions</source>
        <translation>筛选版本</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>What was changed since the commit</source>
        <translation>自该提交以来的改动</translation>
    </message>
    <message>
        <source>Nothing is known. Versions are taken when a run&apos;s trainer starts and brought home when it ends; imported runs have none.</source>
        <translation>没有已知信息。版本在运行的训练程序启动时获取，结束时取回；导入的运行没有版本信息。</translation>
    </message>
    <message>
        <source>Taken %1, once for all runs of the recipe in this campaign.</source>
        <translation>获取于 %1，本批次中该配方的所有运行共用。</translation>
    </message>
</context>
<context>
    <name>dlperf::ui::WorkspaceMenu</name>
    <message>
        <source>Open &amp;workspace …</source>
        <translation>打开工作区(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;New workspace …</source>
        <translation>新建工作区(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Recent workspaces</source>
        <translation>最近的工作区(&amp;R)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>&amp;Clear list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>Open a workspace</source>
        <translation>打开工作区</translation>
    </message>
    <message>
        <source>New workspace</source>
        <translation>新建工作区</translation>
    </message>
    <message>
        <source>dlperf-workspace</source>
        <translation>dlperf-workspace</translation>
    </message>
    <message>
        <source>Use this folder as a workspace?</source>
        <translation>将此文件夹用作工作区吗？</translation>
    </message>
    <message>
        <source>This folder holds something else, and no workspace.</source>
        <translation>此文件夹内有其他内容，而不是工作区。</translation>
    </message>
    <message>
        <source>%1

A workspace is a folder of its own for the runs of one investigation: their logs, plans and figures are written into it. What is in the folder stays as it is, but stands among them.</source>
        <translation>%1

工作区是专供一项评测使用的文件夹：日志、计划与数据都写在其中。文件夹内原有内容保持不变，但会与它们混在一起。</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
</context>
</TS>
